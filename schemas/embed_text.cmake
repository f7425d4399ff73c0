# Writes a C file with a function that returns the text of a file.
# Variables: INPUT, OUTPUT, HEADER (which declares the function), FUNCTION.
# Bytes instead of a string literal: C promises no more than 4,095 characters of the latter.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)"
  "\\1\n    " bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

static const unsigned char text[] = {
    ${bytes}0x00};

const char *${FUNCTION}(void)
{
    return (const char *)text;
}
")
