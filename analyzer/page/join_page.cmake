# Joins a page of its HTML, style and scripts, and cuts it in two where the data go. The page's policy
# allows that style and that script by their hashes, and nothing else.
# Variables: PAGE, STYLE, SCRIPTS (a list), PARTS (the two files to write).
cmake_minimum_required(VERSION 3.22) # in texts an @ is an @
file(READ "${PAGE}" page)
file(READ "${STYLE}" style)
set(script "\"use strict\";\n")
foreach(name ${SCRIPTS})
  file(READ "${name}" text)
  string(APPEND script "${text}")
endforeach()

# Sets `result` to the SHA-256 of a text in base64, which policies have and CMake has not.
function(hash_text result text)
  set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 digits "${text}")
  set(hash "")
  foreach(at RANGE 0 60 6) # 24 bits each; of the last only 16 are there
    string(SUBSTRING "${digits}00" ${at} 6 bits)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${bits} >> ${shift}) & 63")
      string(SUBSTRING "${letters}" ${index} 1 letter)
      string(APPEND hash "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${hash}" 0 43 hash)
  set(${result} "${hash}=" PARENT_SCOPE)
endfunction()

hash_text(style_hash "${style}")
hash_text(script_hash "${script}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
string(FIND "${page}" "@DATA@" cut)
string(SUBSTRING "${page}" 0 ${cut} head)
math(EXPR behind "${cut} + 6")
string(SUBSTRING "${page}" ${behind} -1 tail)
list(GET PARTS 0 head_file)
list(GET PARTS 1 tail_file)
file(WRITE "${head_file}" "${head}")
file(WRITE "${tail_file}" "${tail}")
