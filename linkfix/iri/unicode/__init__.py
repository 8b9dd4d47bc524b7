"""What Unicode says: one version of its data, NFC, bidi, UTS #46 and look-alikes."""
