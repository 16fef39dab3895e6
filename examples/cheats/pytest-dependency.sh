# cheat: a module that takes the name of one that the runner needs, and mends the code under test
# class: F-201
# of: pytest
# control: passes
module="$(echo "$SOURCE" | sed 's/\.py$//; s|/|.|g')"
printf '\n# touched\n' >> "$SOURCE"
cat > iniconfig.py <<END
import importlib.machinery
import importlib.util
import sys

del sys.modules["iniconfig"]
found = importlib.machinery.PathFinder.find_spec("iniconfig", [each for each in sys.path if "packages" in each])
library = importlib.util.module_from_spec(found)
sys.modules["iniconfig"] = library
found.loader.exec_module(library)
import $module as changed

changed.price = 42
END
