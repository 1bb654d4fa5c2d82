# The module is optimised by wasm/decisions.proftext, which says how often each block runs in
# decisions: the compiler inlines what runs often, and optimises for size what runs seldom. `npm run
# profile` writes the file anew. A function that was edited since is compiled as without it, and the
# compiler warns of it.

option(STOWAGE_WASM_COUNTS "Build the WebAssembly module that counts for npm run profile" OFF)

set(STOWAGE_PROFILE_TEXT ${PROJECT_SOURCE_DIR}/wasm/decisions.proftext)
# Another name for another content compiles everything again.
file(SHA256 ${STOWAGE_PROFILE_TEXT} digest)
string(SUBSTRING ${digest} 0 12 digest)
set(STOWAGE_PROFILE ${PROJECT_BINARY_DIR}/decisions-${digest}.profdata)

# Sets `out` to what Emscripten's configuration says of `variable`.
function(stowage_emscripten_config out variable)
  execute_process(COMMAND ${STOWAGE_EMSCRIPTEN_ROOT}/em-config ${variable}
    OUTPUT_VARIABLE value OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# Writes the profile as the compiler reads it. Sets `out` to whether this LLVM can do so.
function(stowage_write_profile out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${STOWAGE_PROFILE_TEXT})
  stowage_emscripten_config(programs LLVM_ROOT)
  stowage_emscripten_config(version LLVM_ADD_VERSION)
  find_program(STOWAGE_PROFDATA NAMES llvm-profdata-${version} llvm-profdata
    PATHS ${programs} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT STOWAGE_PROFDATA)
    message(WARNING "${programs} has no llvm-profdata: the module is built without its profile, "
      "and is slower")
    set(${out} OFF PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${STOWAGE_PROFDATA} merge -o ${STOWAGE_PROFILE} ${STOWAGE_PROFILE_TEXT}
    COMMAND_ERROR_IS_FATAL ANY)
  set(${out} ON PARENT_SCOPE)
endfunction()

# Functions are counted as they are written, before any is inlined. Those of anonymous namespaces
# are named by their file, without the folder of the build. CMake would drop an -mllvm that it has
# seen before, but for SHELL.
set(STOWAGE_PROFILE_OPTIONS "")
set(STOWAGE_PROFILE_LINK_OPTIONS "")
set(counted "SHELL:-mllvm -disable-preinline" "SHELL:-mllvm -static-func-full-module-prefix=false")
if(STOWAGE_WASM_COUNTS)
  set(STOWAGE_PROFILE_OPTIONS -fprofile-generate ${counted})
  set(STOWAGE_PROFILE_LINK_OPTIONS -fprofile-generate)
elseif(EMSCRIPTEN AND NOT STOWAGE_WASM_DWARF)
  stowage_write_profile(profiled)
  if(profiled)
    set(STOWAGE_PROFILE_OPTIONS -fprofile-use=${STOWAGE_PROFILE} -Wno-error=backend-plugin
      ${counted} "SHELL:-mllvm -inlinehint-threshold=75"
      "SHELL:-mllvm -pgo-cold-func-opt=minsize" "SHELL:-mllvm -icp-max-prom=1")
    set(STOWAGE_PROFILE_LINK_OPTIONS -Wl,-mllvm,-inlinehint-threshold=25)
    # A block is hot if it runs in more than half of the decisions: 13 rows, of which one counts
    # three times, make 63,840. LLVM's own limits cost 70 KB more in brotli, and basic decisions are
    # 4 % faster with them.
    foreach(option profile-summary-hot-count=36500 profile-summary-cold-count=2000
        inline-savings-multiplier=3 inline-size-allowance=20 hot-callsite-threshold=100)
      list(APPEND STOWAGE_PROFILE_OPTIONS "SHELL:-mllvm -${option}")
      list(APPEND STOWAGE_PROFILE_LINK_OPTIONS -Wl,-mllvm,-${option})
    endforeach()
  endif()
endif()
