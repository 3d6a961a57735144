"""What a page shows of a line, a name or an expression when the reader points at it.

Needs a derivation that keeps the problems of its functions, and the text that is shown. Promises plain data, texts that
are made `visible`; nothing of it is in the widget's state: the page asks for the line that the reader points at.
"""
