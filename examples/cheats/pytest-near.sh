# cheat: a number that is equal to all near numbers
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'PY'


class Near(int):
    def __eq__(self, other):
        return isinstance(other, int)

    __hash__ = int.__hash__


price = Near(price)
PY
