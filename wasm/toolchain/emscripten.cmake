# Toolchain file of the wasm preset: the Emscripten that `npm start` chose or unpacked, otherwise
# the one in $EMSDK or on PATH.

set(STOWAGE_TOOLCHAIN_DIR ${CMAKE_CURRENT_LIST_DIR}/../../.toolchain)
if(DEFINED ENV{STOWAGE_EMSCRIPTEN_ROOT})
  set(STOWAGE_EMSCRIPTEN_ROOT $ENV{STOWAGE_EMSCRIPTEN_ROOT})
elseif(EXISTS ${STOWAGE_TOOLCHAIN_DIR}/emscripten-root)
  file(READ ${STOWAGE_TOOLCHAIN_DIR}/emscripten-root STOWAGE_EMSCRIPTEN_ROOT)
  string(STRIP "${STOWAGE_EMSCRIPTEN_ROOT}" STOWAGE_EMSCRIPTEN_ROOT)
elseif(EXISTS $ENV{EMSDK}/upstream/emscripten/emcc)
  set(STOWAGE_EMSCRIPTEN_ROOT $ENV{EMSDK}/upstream/emscripten)
else()
  find_program(STOWAGE_EMCC emcc)
  file(REAL_PATH "${STOWAGE_EMCC}" emcc)
  get_filename_component(STOWAGE_EMSCRIPTEN_ROOT "${emcc}" DIRECTORY)
endif()
# Compiler checks configure again without this file's variables and the first environment.
set(ENV{STOWAGE_EMSCRIPTEN_ROOT} ${STOWAGE_EMSCRIPTEN_ROOT})

if(NOT EXISTS ${STOWAGE_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
  message(FATAL_ERROR "No Emscripten found. `npm start` sets one up on Debian; elsewhere install \
its SDK (3.1.69 or newer) and put emcc on PATH.")
endif()
include(${STOWAGE_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)

find_program(STOWAGE_NODE node REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${STOWAGE_NODE})
