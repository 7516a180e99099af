# glslc-multi --completion fish > ~/.config/fish/completions/glslc-multi.fish
complete -c glslc-multi -n __fish_use_subcommand -a 'compile link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s h -d 'print this text'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l help -d 'print this text'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l help-all -d 'print all options'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s w -d 'no warnings'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o fshader-stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s c -d 'compile, which is the default'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s E -d 'only preprocess'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s S -d 'the same as --emit asm'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l emit -d 'what to write: bin, asm, ir, glsl, spirv, dot, json, stats, c, header, host, html' -x -a 'bin asm ir glsl glsl-100 glsl-300es glsl-120 glsl-330 spirv spirv-opengl spirv-asm dot json stats c header host html'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l reflect -d 'write the register map' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s D -d 'define a macro' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s I -d 'look for includes' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s v -d 'show the commands that are run'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l stats -d 'print what the code costs, as text or JSON'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l version -d 'print the version'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l explain -d 'explain a diagnostic, such as E0301' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l list-targets -d 'the machines and their options'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l list-passes -d 'the passes over the IR'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l list-warnings -d 'the groups of warnings'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l print-target-info -d 'stages, options and limits of a target' -x -a 'adreno agal pica200 theia vc4 xenos'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l completion -d 'script: bash, zsh, fish' -x -a 'bash zsh fish'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l json -d 'lists and tables as JSON'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l print-schema -d 'JSON schema: batch, diagnostics, reflection, stats, survey' -x -a 'batch diagnostics reflection stats survey'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l stdin-name -d 'name of standard input in messages and for its stage' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l prefix -d 'prefix of names in C text (the name of the input)' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l host-form -d 'form of --emit host; glslc-multi targets lists them' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l watch -d 'compile again whenever a file changes'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -l save-temps -d 'keep preprocessed text, IR and assembly text too'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o MD -d 'write the rule beside the output'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o MMD -d 'write the rule beside the output'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o MF -d 'write the rule there' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o MT -d 'what the rule makes, as it is' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o MQ -d 'the same, quoted for make' -r
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o MP -d 'an empty rule for every included file'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s M -d 'print the rule for make, do not compile'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -o MM -d 'print the rule for make, do not compile'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s g -d 'no effect: places in the source are always known'
complete -c glslc-multi -n 'not __fish_seen_subcommand_from link check fmt batch explain run render as dis decompile opt reduce playground stats targets port lsp' -s x -d 'the language' -x -a 'glsl'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s S -d 'the same as --emit asm'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l emit -d 'what to write: bin, asm, json, stats, c, header, host' -x -a 'bin asm json stats c header host'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l stats -d 'print what the code costs, as text or JSON'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l prefix -d 'prefix of names in C text (the name of the first input)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -l host-form -d 'form of --emit host; glslc-multi targets lists them' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o MD -d 'write the rule beside the output'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o MMD -d 'write the rule beside the output'
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o MF -d 'write the rule there' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o MT -d 'what the rule makes, as it is' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o MQ -d 'the same, quoted for make' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from link' -o MP -d 'an empty rule for every included file'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -o fshader-stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n '__fish_seen_subcommand_from check' -l stdin-name -d 'name of standard input in messages and for its stage' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l check -d 'change nothing; report files that would change'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l diff -d 'change nothing; print what would change'
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l indent -d 'spaces a level (4)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from fmt' -l tabs -d 'a tab a level'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s j -d 'processes (one a processor)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l jobs -d 'processes (one a processor)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l shard -d 'only part I of N, for one of several machines' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l scheduler -d 'let workers of this Dask scheduler compile' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l list -d 'print the variants, do not compile'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from batch' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -o fshader-stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l fields -d 'also the fields of each word (a page has them always)'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from explain' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l inputs -d 'the values, - for standard input' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l engine -d 'simulator, translated: the machine code; reference, jit: the source (simulator)' -x -a 'simulator translated reference jit'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l quads -d 'each four pixels are a 2x2 block, for derivatives'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l json -d 'results as JSON'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -o fshader-stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from run' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l mesh -d 'cube, quad, sphere, torus or an .obj file (sphere)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l size -d 'pixels of the picture (256x256)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l texture -d 'an image for a sampler; without one it is chequered' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l uniform -d 'a value, such as 0.5 or [1,0,0]; without one the name decides' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l engine -d 'simulator, translated: the machine code; jit, reference: the source (simulator)' -x -a 'simulator translated jit reference'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l compare -d 'reference, engine and amplified difference side by side'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n '__fish_seen_subcommand_from render' -l stats -d 'print what the code costs, as text or JSON'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -l target -d 'the machine; glslc-multi targets lists them' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from as' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -l target -d 'the machine; glslc-multi targets lists them' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from dis' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l from -d 'the machine, where the files name does not tell' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l std -d 'version of GLSL (300es)' -x -a '100 300es 120 330'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l entry -d 'the shader of a file of several: its number, stage or label' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l map -d 'the register map, if it is not IN.json' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l exact -d 'infinities and denormal numbers as the machine has them, at length'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -l proof -d 'compare the text with the code: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from decompile' -s o -d 'output file, - for standard output, the default' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -s o -d 'output file' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l verify -d 'check the rules of the IR'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l renumber -d 'number values and blocks from 0 in order'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l list -d 'print the passes that exist'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l list-passes -d 'print the passes that exist'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l passes -d 'run these passes in order' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -s O -d 'run those of a level' -x -a '0 1 2 3'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l print-before -d 'print the IR before a pass' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l print-before-all -d 'the same for all'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l print-after -d 'print the IR after a pass' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l print-after-all -d 'the same for all'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l stop-after -d 'run no pass after this one' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l verify-each -d 'check the rules after every pass'
complete -c glslc-multi -n '__fish_seen_subcommand_from opt' -l time-passes -d 'print the time that each pass took'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l code -d 'the error that is to stay (the first one)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l seconds -d 'stop after so long (60)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -o fshader-stage -d 'vertex, fragment, geometry or coordinate' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l target -d 'the machine' -x -a 'adreno agal pica200 theia vc4 xenos all'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s o -d 'output file, - for standard output' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s O -d 'effort: 0, 1, 2, 3, or s: 2 for the smallest code (2)' -x -a '0 1 2 3 s'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -o fprecise -d 'keep to rewrites that are exact in IEEE arithmetic'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -o fpreamble -d 'let the host compute what uniforms alone decide'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l verify-each -d 'check the code after every step, for work on the compiler'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l inexact-integers -d 'warn of ints that may be rounded on a target without ints, instead of refusing them'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l proof -d 'compare the code with its source: off, quick, full (quick)' -x -a 'off quick full'
complete -c glslc-multi -n '__fish_seen_subcommand_from reduce' -l no-project -d 'leave out the project file, glslc-multi.toml'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l port -d 'where to listen, 0 for any free port (8642)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from playground' -l open -d 'open the page in the browser'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l max-growth -d 'fail (status 1) if a number grows by more' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from stats' -l json -d 'the table as JSON'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from targets' -l json -d 'as JSON'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l to -d '300es or 100' -x -a '300es 100'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l stage -d 'vertex or fragment' -x -a 'vertex fragment vert frag'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s o -d 'output file, - for standard output, the default' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s D -d 'define a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s U -d 'undefine a macro' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s I -d 'look for includes' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -o std -d 'GLSL of a source without #version (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -s v -d 'show the commands that are run'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l entry -d 'the entry point; of a pair VERTEX,FRAGMENT' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l spec -d 'set a specialization constant' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from port' -l no-compat -d 'let desktop GLSL use gl_Vertex, gl_TexCoord and their like'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -s h -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l help -d 'print this text'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l help-all -d 'print all options'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l no-cache -d 'neither use nor keep results of earlier runs'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -s w -d 'no warnings'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -s W -d '-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l max-errors -d 'stop after N errors (20)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l max-warnings -d 'show N warnings at most (100)' -r
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l diagnostics-format -d 'how messages look (text)' -x -a 'text short msvc json sarif'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l color -d 'colour (auto)' -x -a 'auto always never'
complete -c glslc-multi -n '__fish_seen_subcommand_from lsp' -l stdio -d 'the default, and all there is: some editors say it'
