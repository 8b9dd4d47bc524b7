"""The links of XML, by vocabularies."""
