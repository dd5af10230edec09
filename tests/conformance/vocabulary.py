"""What each public function must have in the table."""


def faults(t):
    return [], 0
