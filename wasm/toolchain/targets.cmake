# The two functions that every folder's CMakeLists.txt calls, and the flags they stand for.
#
#   stowage_add_library(<name> SOURCES a.cc ... DEPS base json ...)   library stowage_<name>
#     [APART]  its sources have names alike: presets that join sources compile these one by one
#     [PRECOMPILED core/a.h ...]  with these headers precompiled
#   stowage_add_test(<name> SOURCES a_test.cc ... DEPS base ...)      GoogleTest program <name>_test
#     [APART a_test.cc ...]  those with names alike; the others are compiled several at a time
#     [PRECOMPILED tests/support/a.h ...]  what most of its sources include
#
# Sources are relative to the calling folder, DEPS are names without the stowage_ prefix, includes
# are relative to the repository.

find_program(STOWAGE_CCACHE ccache)
mark_as_advanced(STOWAGE_CCACHE)
if(STOWAGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${STOWAGE_CCACHE})
endif()

# Contraction is off so that native and WASM round alike; sums of absurd quantities wrap as Go's do.
add_library(stowage_flags INTERFACE)
target_compile_options(stowage_flags INTERFACE
  -fno-exceptions -fno-rtti -ffp-contract=off -fwrapv
  -Wall -Wextra -Wpedantic -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies in std::string's operator+ where there are none.
  target_compile_options(stowage_flags INTERFACE -Wno-restrict)
  # Collecting its garbage before it has this much, in KB, is an eighth of its time.
  target_compile_options(stowage_flags INTERFACE --param=ggc-min-heapsize=524288)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT EMSCRIPTEN)
  # On by default from Clang 19 on; the standard has it since C++14.
  target_compile_options(stowage_flags INTERFACE -fsized-deallocation)
endif()
target_include_directories(stowage_flags INTERFACE ${PROJECT_SOURCE_DIR})

# CHECK reports __FILE__. It is a path in the repository, so that a module is the same whatever
# folder it was built in. ccache replaces the repository's path by one relative to the compiler's
# working folder, at most eight levels down.
set(above ../)
target_compile_options(stowage_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
foreach(level RANGE 2 8)
  string(APPEND above ../)
  target_compile_options(stowage_flags INTERFACE -fmacro-prefix-map=${above}=)
endforeach()

function(stowage_link_deps target scope)
  foreach(dep IN LISTS ARGN)
    set_property(GLOBAL APPEND PROPERTY STOWAGE_DEPS "${target}:${dep}")
    target_link_libraries(${target} ${scope} $<TARGET_NAME_IF_EXISTS:stowage_${dep}>)
  endforeach()
endfunction()

# A dependency that is no target would otherwise show as a missing symbol, or not at all.
function(stowage_check_deps)
  get_property(pairs GLOBAL PROPERTY STOWAGE_DEPS)
  foreach(pair IN LISTS pairs)
    string(REGEX MATCH "^(.*):(.*)$" matched "${pair}")
    if(NOT TARGET stowage_${CMAKE_MATCH_2})
      message(FATAL_ERROR "${CMAKE_MATCH_1} depends on ${CMAKE_MATCH_2}, which is no target")
    endif()
  endforeach()
endfunction()

# What the WebAssembly module is made of is compiled to bitcode: optimised as one when it is linked.
function(stowage_optimize_when_linked target)
  if(EMSCRIPTEN AND NOT STOWAGE_WASM_DWARF)
    target_compile_options(${target} PRIVATE -flto)
  endif()
endfunction()

function(stowage_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART" "" "SOURCES;DEPS;PRECOMPILED")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "stowage_add_library(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_SOURCES)
    add_library(stowage_${name} STATIC ${arg_SOURCES})
    target_link_libraries(stowage_${name} PUBLIC stowage_flags)
    stowage_link_deps(stowage_${name} PUBLIC ${arg_DEPS})
    stowage_optimize_when_linked(stowage_${name})
    if(arg_APART AND CMAKE_UNITY_BUILD)
      set_target_properties(stowage_${name} PROPERTIES UNITY_BUILD OFF)
      list(TRANSFORM arg_PRECOMPILED PREPEND ${PROJECT_SOURCE_DIR}/)
      target_precompile_headers(stowage_${name} PRIVATE ${arg_PRECOMPILED})
    endif()
  else()
    add_library(stowage_${name} INTERFACE)
    target_link_libraries(stowage_${name} INTERFACE stowage_flags)
    stowage_link_deps(stowage_${name} INTERFACE ${arg_DEPS})
  endif()
endfunction()

# For sources of the calling folder that run once per scheduler, per question or per failure: in the
# WebAssembly module their size counts, not their speed.
function(stowage_optimize_for_size)
  if(EMSCRIPTEN AND NOT STOWAGE_WASM_DWARF)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -Oz)
  endif()
endfunction()

# Tests are compiled once and run for a moment: optimising them costs more than it gives.
set(STOWAGE_TEST_OPTIMISATION -O1 CACHE STRING "How far test sources are optimised")

# Programs that name no headers of their own share what the first of them precompiled.
function(stowage_precompile_headers target)
  get_property(owner GLOBAL PROPERTY STOWAGE_PRECOMPILED_IN)
  if(owner AND NOT ARGN)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  if(NOT ARGN)
    set_property(GLOBAL PROPERTY STOWAGE_PRECOMPILED_IN ${target})
  endif()
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  target_precompile_headers(${target} PRIVATE
    <gtest/gtest.h> <algorithm> <functional> <map> <optional> <span> <string> <unordered_map>
    <variant> <vector> ${ARGN})
endfunction()

function(stowage_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;APART;DEPS;PRECOMPILED")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "stowage_add_test(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${name}_test ${arg_SOURCES} ${arg_APART})
  # Most of a test's time in the compiler is what it includes: several are compiled as one.
  set_target_properties(${name}_test PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(${name}_test PRIVATE stowage_flags stowage_gtest)
  stowage_link_deps(${name}_test PRIVATE ${arg_DEPS})
  target_compile_options(${name}_test PRIVATE ${STOWAGE_TEST_OPTIMISATION})
  stowage_precompile_headers(${name}_test ${arg_PRECOMPILED})
  if(EMSCRIPTEN)
    # NODERAWFS lets tests read their files; the suffix keeps Node from taking them for modules.
    set_target_properties(${name}_test PROPERTIES SUFFIX .cjs)
    target_link_options(${name}_test PRIVATE -O1 -Wl,--lto-O0
      -sNODERAWFS -sEXIT_RUNTIME -sENVIRONMENT=node
      -sSTACK_SIZE=1MB -Wl,--stack-first -sALLOW_MEMORY_GROWTH)
  endif()
  add_test(NAME ${name} COMMAND ${name}_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  # Large ones begin first, so that none is left to run alone at the end.
  set(sources ${arg_SOURCES} ${arg_APART})
  list(LENGTH sources num_sources)
  set_tests_properties(${name} PROPERTIES COST ${num_sources})
endfunction()
