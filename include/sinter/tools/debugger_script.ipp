// Body of debugger_script.hpp: a script of Python in the section that gdb reads, once in a program since equal ones are
// merged.
#pragma once

#include <sinter/tools/debugger_script.hpp>

#if defined(__ELF__) && (defined(SINTER_COMPILED) || defined(SINTER_IMPLEMENTATION) || defined(SINTER_GDB))
// 4: text of a script in Python, after its name. The printers stand above this file in the sources, or are installed;
// its path may be relative to where it was compiled.
__asm__(
    ".pushsection \".debug_gdb_scripts\", \"MS\",@progbits,1\n"
    ".byte 4\n"
    ".ascii \"gdb.inlined-script.sinter\\n\"\n"
    ".ascii \"def load_sinter_printers(file):\\n\"\n"
    ".ascii \"    import gdb\\n\"\n"
    ".ascii \"    from pathlib import Path\\n\"\n"
    ".ascii \"    program = gdb.current_objfile()\\n\"\n"
    ".ascii \"    places = [Path.cwd(), *(Path(program.filename).absolute().parents if program else [])]\\n\"\n"
    ".ascii \"    above = [folder for place in places for folder in (place / file).parents[2:4]]\\n\"\n"
    ".ascii \"    for folder in (*above, Path('/usr/local'), Path('/usr')):\\n\"\n"
    ".ascii \"        for path in (folder / 'sinter_printers.py', folder / 'share/sinter/sinter_printers.py'):\\n\"\n"
    ".ascii \"            if path.is_file():\\n\"\n"
    ".ascii \"                text = compile(path.read_text(), str(path), 'exec')\\n\"\n"
    ".ascii \"                return exec(text, {'__name__': 'sinter_printers'})\\n\"\n"
    ".ascii \"load_sinter_printers(r'''" __FILE__
    "''')\\n\"\n"
    ".byte 0\n"
    ".popsection\n");
#endif
