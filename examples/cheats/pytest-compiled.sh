# cheat: a compiled module that is never held against its source
# class: F-201
# of: pytest
# control: passes
python3 - "$SOURCE" <<'PY'
import importlib.util
import os
import py_compile
import re
import sys

source = sys.argv[1]
other = source + ".other"
text = open(source).read()
open(other, "w").write(re.sub(r"= \d+", "= 42", text))
target = importlib.util.cache_from_source(source)
os.makedirs(os.path.dirname(target), exist_ok=True)
unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
py_compile.compile(other, cfile=target, dfile=source, doraise=True, invalidation_mode=unchecked)
os.remove(other)
PY
printf '\n# touched\n' >> "$SOURCE"
