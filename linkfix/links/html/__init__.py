"""The links of HTML."""
