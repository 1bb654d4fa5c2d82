# The two functions that every folder's CMakeLists.txt calls, and the flags that they set.
#
#   stowage_add_library(<name> DEPS base json ...)   library stowage_<name> of the folder's *.cc
#     [FOLDERS a ...]  and of the *.cc of these subfolders
#     [SOURCES a.cc ...]  of these alone
#   stowage_add_test(<name> DEPS base ...)   GoogleTest program <name>_test of the folder's *.cc
#     [FOLDERS a ...], [SOURCES a_test.cc ...]  as above
#
# A new file in a folder needs no entry: builds look for new files by themselves. Sources are
# relative to the calling folder, DEPS are names without the stowage_ prefix, includes are relative
# to the repository.

include(${CMAKE_CURRENT_LIST_DIR}/joined_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/profile.cmake)

find_program(STOWAGE_CCACHE ccache)
mark_as_advanced(STOWAGE_CCACHE)
if(STOWAGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${STOWAGE_CCACHE})
endif()

# Contraction is off so that native and WASM round alike; sums of very large quantities wrap as Go's
# do.
add_library(stowage_flags INTERFACE)
target_compile_options(stowage_flags INTERFACE
  -fno-exceptions -fno-rtti -ffp-contract=off -fwrapv
  -Wall -Wextra -Wpedantic -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 wrongly reports overlapping copies in std::string's operator+.
  target_compile_options(stowage_flags INTERFACE -Wno-restrict)
  # GCC spends an eighth of its time on garbage collections below this heap size, in KB.
  target_compile_options(stowage_flags INTERFACE --param=ggc-min-heapsize=524288)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT EMSCRIPTEN)
  # Clang has it on by default from version 19 on; it is standard since C++14.
  target_compile_options(stowage_flags INTERFACE -fsized-deallocation)
endif()
target_include_directories(stowage_flags INTERFACE ${PROJECT_SOURCE_DIR})

# CHECK reports __FILE__. It is a path in the repository, so that the module does not depend on the
# folder in which it was built. ccache replaces the repository's path by one relative to the
# compiler's working folder, at most eight levels down.
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

# A dependency that is no target would otherwise show up as a missing symbol, or not at all.
function(stowage_check_deps)
  get_property(pairs GLOBAL PROPERTY STOWAGE_DEPS)
  foreach(pair IN LISTS pairs)
    string(REGEX MATCH "^(.*):(.*)$" matched "${pair}")
    if(NOT TARGET stowage_${CMAKE_MATCH_2})
      message(FATAL_ERROR "${CMAKE_MATCH_1} depends on ${CMAKE_MATCH_2}, which is no target")
    endif()
  endforeach()
endfunction()

# The sources of the WebAssembly module are compiled to bitcode, which is optimised as a whole when
# it is linked.
function(stowage_optimize_when_linked target)
  if(EMSCRIPTEN AND NOT STOWAGE_WASM_DWARF)
    target_compile_options(${target} PRIVATE -flto ${STOWAGE_PROFILE_OPTIONS})
  endif()
endfunction()

# The *.cc of the calling folder and of the given subfolders, sorted by name.
function(stowage_find_sources result)
  set(patterns *.cc)
  foreach(folder IN LISTS ARGN)
    list(APPEND patterns ${folder}/*.cc)
  endforeach()
  list(TRANSFORM patterns PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  file(GLOB found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
  set(${result} ${found} PARENT_SCOPE)
endfunction()

function(stowage_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FOLDERS;DEPS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "stowage_add_library(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    stowage_find_sources(arg_SOURCES ${arg_FOLDERS})
  endif()
  if(arg_SOURCES)
    add_library(stowage_${name} STATIC)
    target_link_libraries(stowage_${name} PUBLIC stowage_flags)
    stowage_link_deps(stowage_${name} PUBLIC ${arg_DEPS})
    stowage_optimize_when_linked(stowage_${name})
    set_property(GLOBAL APPEND PROPERTY STOWAGE_LIBRARIES stowage_${name})
    # The sources that are optimised for speed are known only at the end of the folder's file.
    cmake_language(EVAL CODE
      "cmake_language(DEFER CALL stowage_add_sources stowage_${name} ${arg_SOURCES})")
  else()
    add_library(stowage_${name} INTERFACE)
    target_link_libraries(stowage_${name} INTERFACE stowage_flags)
    stowage_link_deps(stowage_${name} INTERFACE ${arg_DEPS})
  endif()
endfunction()

function(stowage_add_sources target)
  get_property(named DIRECTORY PROPERTY STOWAGE_FOR_SPEED)
  # A folder may name its sources or list them by pattern, which returns absolute paths.
  stowage_absolute(sources ${ARGN})
  stowage_absolute(for_speed ${named})
  foreach(path IN LISTS for_speed)
    if(NOT path IN_LIST sources)
      message(FATAL_ERROR "${target}: ${path}, optimised for speed, is none of its sources")
    endif()
  endforeach()
  set(fast "")
  set(small "")
  foreach(path IN LISTS sources)
    if(EMSCRIPTEN AND NOT STOWAGE_WASM_DWARF AND NOT path IN_LIST for_speed)
      list(APPEND small ${path})
    else()
      list(APPEND fast ${path})
    endif()
  endforeach()
  set(inlining "")
  set(folders config decode encode framework loop plugins preemption queue runtime surface)
  list(TRANSFORM folders PREPEND stowage_)
  if(EMSCRIPTEN AND target IN_LIST folders)
    # Calls that run often are inlined by the profile. For the others, a threshold of 40 costs 2 KB
    # in brotli and is no faster; the usual one is 225.
    set(inlining -mllvm -inline-threshold=10)
  endif()
  if(fast)
    stowage_join(${target} OPTIONS ${inlining} SOURCES ${fast})
  endif()
  if(small)
    stowage_join(${target} SUFFIX -size OPTIONS -Oz SOURCES ${small})
  endif()
endfunction()

# In the WebAssembly module, sources are optimised for size. This names sources of the calling
# folder that are optimised for speed: a row of the bench shows the difference. Functions of theirs
# that run rarely are marked (core/base/cold.h). The level is -O2 (CMakePresets.json), because -O3
# costs 5 KB in brotli and is no faster.
function(stowage_optimize_for_speed)
  set_property(DIRECTORY APPEND PROPERTY STOWAGE_FOR_SPEED ${ARGN})
endfunction()

# Tests are compiled once and run briefly: optimising them takes longer than it saves.
set(STOWAGE_TEST_OPTIMISATION -O1 CACHE STRING "How far test sources are optimised")

# The libraries are bitcode. They are compiled once for all tests, into one object from which each
# test program links what it calls. Otherwise the linker would compile them for every program.
set(STOWAGE_LIBRARIES_OBJECT ${PROJECT_BINARY_DIR}/tests/libraries.o)

function(stowage_link_libraries_once)
  get_property(libraries GLOBAL PROPERTY STOWAGE_LIBRARIES)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${STOWAGE_LIBRARIES_OBJECT}
    COMMAND ${CMAKE_CXX_COMPILER} -r -flto -O1 -fno-exceptions -fno-rtti
      -Wl,--whole-archive ${files} -o ${STOWAGE_LIBRARIES_OBJECT}
    DEPENDS ${libraries}
    COMMENT "Compiling the libraries for all tests"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(stowage_libraries_object DEPENDS ${STOWAGE_LIBRARIES_OBJECT})
endfunction()

# Headers that every test includes, precompiled once. Loading more would take as long as compiling
# it.
function(stowage_precompile_headers target)
  get_property(owner GLOBAL PROPERTY STOWAGE_PRECOMPILED_IN)
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  set_property(GLOBAL PROPERTY STOWAGE_PRECOMPILED_IN ${target})
  target_precompile_headers(${target} PRIVATE
    <gtest/gtest.h> <algorithm> <functional> <map> <optional> <span> <string> <unordered_map>
    <variant> <vector>)
endfunction()

function(stowage_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FOLDERS;DEPS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "stowage_add_test(${name}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    stowage_find_sources(arg_SOURCES ${arg_FOLDERS})
  endif()
  add_executable(${name}_test)
  stowage_join(${name}_test SOURCES ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE stowage_flags stowage_gtest)
  if(EMSCRIPTEN)
    # Listed before the libraries, so that nothing of them is missing.
    target_link_libraries(${name}_test PRIVATE ${STOWAGE_LIBRARIES_OBJECT})
    add_dependencies(${name}_test stowage_libraries_object)
  endif()
  # Every test has fmt, because the precompiled headers hold its definitions.
  stowage_link_deps(${name}_test PRIVATE ${arg_DEPS} fmt)
  target_compile_options(${name}_test PRIVATE ${STOWAGE_TEST_OPTIMISATION})
  stowage_precompile_headers(${name}_test)
  if(EMSCRIPTEN)
    # NODERAWFS lets tests read their files; with the suffix, Node does not treat them as ES
    # modules.
    set_target_properties(${name}_test PROPERTIES SUFFIX .cjs)
    target_link_options(${name}_test PRIVATE -O1 -Wl,--lto-O0
      -sNODERAWFS -sEXIT_RUNTIME -sENVIRONMENT=node
      -sSTACK_SIZE=1MB -Wl,--stack-first -sALLOW_MEMORY_GROWTH)
  endif()
  add_test(NAME ${name} COMMAND ${name}_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  # Large ones start first, so that none is left to run alone at the end.
  list(LENGTH arg_SOURCES num_sources)
  set_tests_properties(${name} PROPERTIES COST ${num_sources})
endfunction()
