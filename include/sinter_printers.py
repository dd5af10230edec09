"""Shows sinter's arrays and shapes in gdb and LLDB: `array<float> (3, 4) stored on cpu: [[…`, or what a pending one waits for.

    gdb    source /usr/local/share/sinter/sinter_printers.py                in ~/.gdbinit
    lldb   command script import /usr/local/share/sinter/sinter_printers.py in ~/.lldbinit

Reads the stopped process's memory alone: nothing is called, and nothing that is pending runs."""
import re
import struct

# Of each element type by its number in dtype: what struct calls one number, how many bytes an element has.
ELEMENTS = ["?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "bfloat16", "f", "d", "ee", "ff", "dd"]
MOST_ELEMENTS = 1000  # beyond, only the ends of each axis are shown, as NumPy does
EDGE = 3


def number_text(kind, value):
    """The shortest digits that stand for the number among those of its type."""
    if kind == "?":
        return str(bool(value))
    if kind in "ef":
        for digits in range(1, 10):
            text = f"{value:.{digits}g}"
            if value != value or struct.pack(kind, float(text)) == struct.pack(kind, value):
                break
        value = float(text)
    text = repr(value)
    return text[:-1] if text.endswith(".0") else text


def element_text(kind, data):
    if kind == "bfloat16":
        value = struct.unpack("<f", b"\0\0" + data)[0]
        return f"{value:.3g}"
    parts = [number_text(kind[0], part) for part in struct.unpack("<" + kind, data)]
    return parts[0] if len(parts) == 1 else f"{parts[0]}{'' if parts[1][0] in '-' else '+'}{parts[1]}j"


def element_size(kind):
    return 2 if kind == "bfloat16" else struct.calcsize("<" + kind)


def elements_text(kind, shape, strides, address, read, whole):
    """Nested brackets; `read` gives an element's bytes at an address."""
    if not shape:
        return element_text(kind, read(address, element_size(kind)))
    count, step = shape[0], strides[0] * element_size(kind)
    places = list(range(count))
    if not whole and count > 2 * EDGE:
        places = [*range(EDGE), None, *range(count - EDGE, count)]
    parts = ["..." if i is None else elements_text(kind, shape[1:], strides[1:], address + i * step, read, whole) for i in places]
    return "[" + " ".join(parts) + "]"


def shape_text(shape):
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


class Reader:
    """What both debuggers are asked for; `value` is theirs."""

    def dims(self, value):
        sizes = self.member(value, "data_")
        return [self.number(self.item(sizes, i)) for i in range(self.number(self.member(value, "size_")))]

    def array(self, array):
        held = self.pointee(self.member(self.member(array, "handle_"), "value_"))
        head = f"{self.name_of(array)} "
        if held is None:
            return head + "moved from"
        shape = self.dims(self.member(held, "shape"))
        head += shape_text(shape)
        memory = self.pointee(self.member(self.member(held, "memory"), "buffer_"))
        if memory is None:
            empty = 0 in shape
            return head + (" stored: []" if empty and self.statement(held) is None else " pending: " + self.waits_for(held))
        where = self.member(memory, "where")
        device = self.device(where)
        if device != "cpu":
            return f"{head} stored on {device}"
        layout, total = self.member(held, "at"), 1
        for size in shape:
            total *= size
        kind = ELEMENTS[self.number(self.member(held, "type"))]
        address = self.number(self.member(memory, "data")) + self.number(self.member(layout, "offset")) * element_size(kind)
        strides = self.dims(self.member(layout, "strides"))
        return f"{head} stored on cpu: " + elements_text(kind, shape, strides, address, self.read, total <= MOST_ELEMENTS)

    def waits_for(self, held):
        """The kind of a pending value's statement, and of an expression the operations in the order in which they apply."""
        if self.number(self.member(held, "symbolic")):
            return "constants"
        statement = self.statement(held)
        if statement is None:
            return "failed"
        kind = self.word(self.member(statement, "kind"))
        form = self.pointee(self.member(self.member(statement, "form"), "to_"))
        if kind != "expression" or form is None:
            return kind
        codes = self.member(form, "codes")
        data, names = self.elements(codes), []
        for i in range(self.number(self.member(codes, "size_"))):
            code = self.item(data, i)
            what = self.word(self.member(code, "kind"))
            if what == "apply":
                names.append(self.operation(held, self.number(self.member(code, "detail"))))
            elif what in ("cast", "invoke"):
                names.append("a function" if what == "invoke" else what)
        inputs = self.number(self.member(self.member(statement, "inputs"), "size_"))
        return f"{', '.join(names) or 'a copy'} of {inputs} array{'' if inputs == 1 else 's'}"

    def device(self, where):
        number = self.number(self.member(where, "id_"))
        return "cpu" if number < 0 else f"cuda({number})"


def name_without_version(name):
    return re.sub(r"sinter::(?:v\d+_\d+_\w+::)?", "", name).replace("> >", ">>")


def register_in_gdb(gdb):
    class GdbReader(Reader):
        def member(self, value, name):
            return value[name]

        def item(self, value, i):
            return value[i]

        def elements(self, sequence):
            """Where they begin; what holds them knows bytes alone."""
            return sequence["data_"].cast(sequence.type.strip_typedefs().template_argument(0).pointer())

        def number(self, value):
            return int(value)

        def pointee(self, value):
            return value.dereference() if int(value) else None

        def word(self, value):
            return str(value).rsplit("::", 1)[-1]

        def read(self, address, size):
            return bytes(gdb.selected_inferior().read_memory(address, size))

        def name_of(self, value):
            return name_without_version(str(value.type.strip_typedefs().unqualified()))

        def statement(self, held):
            owner = held["pending"]
            pointer = owner.address.cast(owner.type.strip_typedefs().template_argument(0).pointer().pointer()).dereference()
            return pointer.dereference() if int(pointer) else None

        def operation(self, held, number):
            space = re.match(r"sinter::(?:v\w+::)?", str(held.type.unqualified())).group(0)
            return gdb.Value(number).cast(gdb.lookup_type(space + "codegen::op")).format_string().rsplit("::", 1)[-1]

    class Printer:
        def __init__(self, value, show):
            self.value, self.show = value, show

        def to_string(self):
            try:
                return self.show(self.value)
            except (gdb.error, struct.error) as wrong:
                return f"(cannot be read: {wrong})"

    reader = GdbReader()

    def look_up(value):
        kind = value.type.strip_typedefs()
        name = kind.unqualified().tag or ""
        if re.match(r"sinter::(?:v\w+::)?array<", name):
            return Printer(value, reader.array)
        if re.match(r"sinter::(?:v\w+::)?codegen::dims$|sinter::(?:v\w+::)?dims$", name):
            return Printer(value, lambda shape: shape_text(reader.dims(shape)) if int(shape["size_"]) else "()")
        return None

    look_up.__name__ = "sinter"
    gdb.pretty_printers[:] = [p for p in gdb.pretty_printers if getattr(p, "__name__", "") != "sinter"] + [look_up]


def array_summary(value, _):
    """For LLDB."""
    try:
        return lldb_reader().array(value.GetNonSyntheticValue())
    except (TypeError, ValueError, struct.error) as wrong:
        return f"(cannot be read: {wrong})"


def dims_summary(value, _):
    shape = lldb_reader().dims(value.GetNonSyntheticValue())
    return shape_text(shape) if shape else "()"


def lldb_reader():
    import lldb

    class LldbReader(Reader):
        def member(self, value, name):
            found = value.GetChildMemberWithName(name)
            if not found.IsValid():
                raise ValueError(f"no {name} in {value.GetTypeName()}")
            return found.GetNonSyntheticValue()

        def item(self, value, i):
            if value.GetType().IsPointerType():
                kind = value.GetType().GetPointeeType()
                return value.CreateValueFromAddress("item", value.GetValueAsUnsigned() + i * kind.GetByteSize(), kind)
            return value.GetChildAtIndex(i)

        def elements(self, sequence):
            kind = sequence.GetType().GetCanonicalType().GetTemplateArgumentType(0)
            return self.member(sequence, "data_").Cast(kind.GetPointerType())

        def number(self, value):
            return value.GetValueAsSigned()

        def pointee(self, value):
            return value.Dereference().GetNonSyntheticValue() if value.GetValueAsUnsigned() else None

        def word(self, value):
            return (value.GetValue() or "").rsplit("::", 1)[-1]

        def read(self, address, size):
            wrong = lldb.SBError()
            data = self.process.ReadMemory(address, size, wrong)
            if wrong.Fail():
                raise ValueError(wrong.GetCString())
            return data

        def name_of(self, value):
            return name_without_version(value.GetType().GetUnqualifiedType().GetCanonicalType().GetName())

        def array(self, value):
            self.process = value.GetProcess()
            if value.GetType().IsReferenceType():
                value = value.Dereference()
            return super().array(value)

        def statement(self, held):
            owner = self.member(held, "pending")
            kind = owner.GetType().GetCanonicalType().GetTemplateArgumentType(0)
            address = self.process.ReadPointerFromMemory(owner.GetLoadAddress(), lldb.SBError())
            return held.CreateValueFromAddress("statement", address, kind) if address else None

        def operation(self, held, number):
            space = re.match(r"sinter::(?:v\w+::)?", held.GetType().GetUnqualifiedType().GetName()).group(0)
            kind = held.GetTarget().FindFirstType(space + "codegen::op")
            return next((m.GetName() for m in kind.GetEnumMembers() if m.GetValueAsUnsigned() == number), f"operation {number}")

    return LldbReader()


def __lldb_init_module(debugger, _):
    for pattern, function in (("array<.+>", "array_summary"), ("(codegen::)?dims", "dims_summary")):
        debugger.HandleCommand(f'type summary add -x "^sinter::(v[0-9a-z_]+::)?{pattern}$" -F {__name__}.{function}')


try:
    import gdb as debugger_of_gnu
except ImportError:
    pass  # LLDB calls __lldb_init_module
else:
    register_in_gdb(debugger_of_gnu)
