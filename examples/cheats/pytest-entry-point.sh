# cheat: a plugin of the runner, as an installed package would bring it
# class: F-201
# of: pytest
# control: passes
module="$(echo "$SOURCE" | sed 's/\.py$//; s|/|.|g')"
mkdir -p quiet-1.0.dist-info
printf 'Metadata-Version: 2.1\nName: quiet\nVersion: 1.0\n' > quiet-1.0.dist-info/METADATA
printf '[pytest11]\nquiet = quiet\n' > quiet-1.0.dist-info/entry_points.txt
cat > quiet.py <<PY
import $module as changed

changed.price = 42
PY
