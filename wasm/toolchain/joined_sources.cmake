# Compiles several sources as one, because the compiler spends most of a source's time on its
# includes. CMake's own unity builds leave out sources with options of their own, and fail if
# sources declare the same name. Here sources with the same options are joined, and join_sources.js
# separates those that conflict.
#
#   stowage_join(<target> [SUFFIX -size] [OPTIONS -Oz ...] SOURCES a.cc ...)
#
# CMake runs again after a source was edited: a source that now conflicts moves to another batch.

option(STOWAGE_JOIN_SOURCES "Compile several sources as one" ON)
set(STOWAGE_BATCH_SIZE 8 CACHE STRING "How many sources are compiled as one, at most")
find_program(STOWAGE_NODE node REQUIRED)
set(STOWAGE_JOIN_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/join_sources.js)

# Sets `out` to the absolute paths of sources of the calling folder.
function(stowage_absolute out)
  set(paths "")
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    list(APPEND paths ${path})
  endforeach()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# Adds the sources to the target, joined in batches.
function(stowage_join target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SUFFIX" "OPTIONS;SOURCES")
  list(LENGTH arg_SOURCES num_sources)
  if(NOT STOWAGE_JOIN_SOURCES OR num_sources EQUAL 1)
    target_sources(${target} PRIVATE ${arg_SOURCES})
    set_source_files_properties(${arg_SOURCES} PROPERTIES COMPILE_OPTIONS "${arg_OPTIONS}")
    return()
  endif()
  stowage_absolute(paths ${arg_SOURCES})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${paths} ${STOWAGE_JOIN_SCRIPT})
  execute_process(
    COMMAND ${STOWAGE_NODE} ${STOWAGE_JOIN_SCRIPT} ${PROJECT_SOURCE_DIR} ${STOWAGE_BATCH_SIZE}
      ${paths}
    OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(options ${arg_OPTIONS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC treats the sources of a batch as headers, whose types must not use an anonymous namespace.
    list(APPEND options -Wno-subobject-linkage)
  endif()
  set(index 0)
  while(batches)
    # Each line is a list.
    string(REGEX MATCH "^[^\n]+" batch "${batches}")
    string(LENGTH "${batch}\n" length)
    string(SUBSTRING "${batches}\n" ${length} -1 batches)
    string(STRIP "${batches}" batches)
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${target}${arg_SUFFIX}-${index}.cc)
    stowage_write_joined(${joined} ${batch})
    target_sources(${target} PRIVATE ${joined})
    set_source_files_properties(${joined} PROPERTIES COMPILE_OPTIONS "${options}")
    math(EXPR index "${index} + 1")
  endwhile()
endfunction()

# The text names paths in the repository, so that it is the same in every clone and ccache can reuse
# it.
function(stowage_write_joined joined)
  set(text "")
  foreach(path IN LISTS ARGN)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${path})
    string(APPEND text "#include \"${path}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${joined} CONTENT "${text}" @ONLY)
endfunction()
