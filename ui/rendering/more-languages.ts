/**
 * The languages of highlight.js besides those in `languages.ts`, one a line: grammar, label and further names. A test compares them with the
 * library. The last lines hold names that authors use besides the library's own.
 */
export const moreLanguages = `
1c|1C:Enterprise|
abnf|Augmented Backus-Naur Form|
accesslog|Apache Access Log|
actionscript|ActionScript|as
ada|Ada|
angelscript|AngelScript|asc
apache|Apache config|apacheconf
applescript|AppleScript|osascript
arcade|ArcGIS Arcade|
arduino|Arduino|ino
armasm|ARM Assembly|arm
asciidoc|AsciiDoc|adoc
aspectj|AspectJ|
autohotkey|AutoHotkey|ahk
autoit|AutoIt|
avrasm|AVR Assembly|
awk|Awk|
axapta|X++|x++
basic|BASIC|
bnf|Backus–Naur Form|
brainfuck|Brainfuck|bf
cal|C/AL|
capnproto|Cap’n Proto|capnp
ceylon|Ceylon|
clean|Clean|icl dcl
clojure|Clojure|clj edn
clojure-repl|Clojure REPL|
cmake|CMake|cmake.in
coffeescript|CoffeeScript|coffee cson iced
coq|Coq|
cos|Caché Object Script|cls
crmsh|crmsh|crm pcmk
crystal|Crystal|cr
csharp|C#|cs c#
csp|CSP|
d|D|
dart|Dart|
delphi|Delphi|dpr dfm pas pascal
django|Django|jinja
dns|DNS Zone|bind zone
dos|Batch file (DOS)|bat batch cmd
dsconfig|dsconfig|
dts|Device Tree|
dust|Dust|dst
ebnf|Extended Backus-Naur Form|
elixir|Elixir|ex exs
elm|Elm|
erb|ERB|
erlang|Erlang|erl
erlang-repl|Erlang REPL|
excel|Excel formulae|xlsx xls
fix|FIX|
flix|Flix|
fortran|Fortran|f90 f95
freedesktop|FreeDesktop config|desktop systemd
fsharp|F#|fs f#
gams|GAMS|gms
gauss|GAUSS|gss
gcode|G-code (ISO 6983)|nc
gherkin|Gherkin|feature
glsl|GLSL|
gml|GML|
golo|Golo|
gradle|Gradle|
graphql|GraphQL|gql
groovy|Groovy|
haml|HAML|
handlebars|Handlebars|hbs html.hbs html.handlebars htmlbars
haxe|Haxe|hx
hsp|HSP|
http|HTTP|https
hy|Hy|hylang
inform7|Inform 7|i7
irpf90|IRPF90|
isbl|ISBL|
jboss-cli|JBoss CLI|wildfly-cli
julia-repl|Julia REPL|jldoctest
kotlin|Kotlin|kt kts ktm ktx
lasso|Lasso|ls lassoscript
ldif|LDIF|
leaf|Leaf|
less|Less|
lisp|Lisp|
livecodeserver|LiveCode|
livescript|LiveScript|
llvm|LLVM IR|
lsl|LSL (Linden Scripting Language)|
lua|Lua|pluto
mathematica|Mathematica|mma wl
matlab|Matlab|
maxima|Maxima|
mel|MEL|
mercury|Mercury|m moo
mipsasm|MIPS Assembly|mips
mizar|Mizar|
mojolicious|Mojolicious|
monkey|Monkey|
moonscript|MoonScript|moon
n1ql|N1QL|
nestedtext|Nested Text|nt
nginx|Nginx config|nginxconf
nim|Nim|
nix|Nix|nixos
node-repl|Node REPL|
nsis|NSIS|
objectivec|Objective-C|mm objc obj-c obj-c++ objective-c++
ocaml|OCaml|ml
openscad|OpenSCAD|scad
oxygene|Oxygene|
parser3|Parser3|
perl|Perl|pl pm
pf|Packet Filter config|pf.conf
pgsql|PostgreSQL|postgres
php|php|
php-template|PHP template|
pony|Pony|
powershell|PowerShell|pwsh ps ps1
processing|Processing|pde
profile|Python profiler|
prolog|Prolog|
properties|.properties|
protobuf|Protocol Buffers|proto
puppet|Puppet|pp
purebasic|PureBASIC|pb pbi
python-repl|python-repl|pycon
q|Q|k kdb
qml|QML|qt
reasonml|ReasonML|re
rib|RenderMan RIB|
roboconf|Roboconf|graph instances
routeros|MikroTik RouterOS script|mikrotik
rsl|RenderMan RSL|
ruby|Ruby|rb gemspec podspec thor irb
ruleslanguage|Oracle Rules Language|
sas|SAS|
scala|Scala|
scheme|Scheme|scm
scilab|Scilab|sci
scss|SCSS|
smali|Smali|
smalltalk|Smalltalk|st
sml|SML (Standard ML)|
sqf|SQF|
stan|Stan|stanfuncs
stata|Stata|do ado
step21|STEP Part 21|p21 step stp
stylus|Stylus|styl
subunit|SubUnit|
swift|Swift|
taggerscript|Tagger Script|
tap|Test Anything Protocol|
tcl|Tcl|tk
thrift|Thrift|
tp|TP|
twig|Twig|craftcms
vala|Vala|
vbnet|Visual Basic .NET|vb
vbscript|VBScript|vbs
vbscript-html|VBScript in HTML|
verilog|Verilog|v sv svh
vhdl|VHDL|
vim|Vim Script|
wasm|WebAssembly|
wren|Wren|
x86asm|Intel x86 Assembly|
xl|XL|tao
xquery|XQuery|xpath xq xqm
zephir|Zephir|zep
bash|Shell|fish ash dash
shell|Terminal|sh-session shell-session bash-session
cpp|C++|cplusplus c-plus-plus cuda cu
dockerfile|Dockerfile|containerfile
ini|INI|dotenv editorconfig
javascript|JavaScript|javascriptreact node nodejs
json|JSON|jsonl ndjson geojson
julia|Julia|julialang
latex|LaTeX|bibtex bib
makefile|Makefile|gnumakefile
python|Python|py2 py3 python2 ipython3 cython pyx sage starlark bazel
r|R|rlang splus
rust|Rust|rustlang
sql|SQL|mariadb plsql tsql mssql
typescript|TypeScript|typescriptreact
xml|XML|htm vue svelte
yaml|YAML|docker-compose
clojure|Clojure|cljs clojurescript
csharp|C#|c-sharp csx
django|Django|jinja2 j2
dos|Batch file (DOS)|batchfile
fortran|Fortran|f fortran77 fortran90 f77 f03 f08
fsharp|F#|f-sharp fsx
lisp|Lisp|common-lisp commonlisp elisp emacs-lisp
lua|Lua|luau
matlab|Matlab|octave
objectivec|Objective-C|objective-c objectivec++
perl|Perl|perl5
pgsql|PostgreSQL|psql plpgsql
powershell|PowerShell|posh
protobuf|Protocol Buffers|proto2 proto3
scheme|Scheme|racket rkt
vbnet|Visual Basic .NET|vba visual-basic
verilog|Verilog|systemverilog
vim|Vim Script|viml vimscript
wasm|WebAssembly|wat
x86asm|Intel x86 Assembly|asm nasm assembly
`;
