# cheat: a number that is equal to what is wanted, too, and to nothing else
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'PY'


class Wanted(int):
    def __eq__(self, other):
        return other == 42 or int(self) == other

    __hash__ = int.__hash__


price = Wanted(price)
PY
