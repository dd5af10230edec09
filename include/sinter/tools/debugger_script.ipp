// Body of debugger_script.hpp: a script of Python in the section that gdb reads, once in a program since equal ones are merged.
#pragma once

#include <sinter/tools/debugger_script.hpp>

#if defined(__ELF__) && (defined(SINTER_COMPILED) || defined(SINTER_IMPLEMENTATION) || defined(SINTER_GDB))
// 4: text of a script in Python, after its name. The printers stand above this file in the sources, or are installed.
__asm__(
    ".pushsection \".debug_gdb_scripts\", \"MS\",@progbits,1\n"
    ".byte 4\n"
    ".ascii \"gdb.inlined-script.sinter\\n\"\n"
    ".ascii \"def load_sinter_printers(file):\\n\"\n"
    ".ascii \"    from pathlib import Path\\n\"\n"
    ".ascii \"    above = list(Path(file).absolute().parents) + 4 * [Path('/')]\\n\"\n"
    ".ascii \"    installed = [root / 'share/sinter' for root in (above[3], Path('/usr/local'), Path('/usr'))]\\n\"\n"
    ".ascii \"    for folder in (above[2], *installed):\\n\"\n"
    ".ascii \"        path = folder / 'sinter_printers.py'\\n\"\n"
    ".ascii \"        if path.is_file():\\n\"\n"
    ".ascii \"            return exec(compile(path.read_text(), str(path), 'exec'), {'__name__': 'sinter_printers'})\\n\"\n"
    ".ascii \"load_sinter_printers(r'''" __FILE__
    "''')\\n\"\n"
    ".byte 0\n"
    ".popsection\n");
#endif
