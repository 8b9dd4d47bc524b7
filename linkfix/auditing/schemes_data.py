"""The tables of ``auditing/schemes.toml``.

``tools/make_tables.py`` made this file: do not edit it.
"""

from __future__ import annotations

from typing import Any

TABLES: dict[str, Any] = {
    "permanent": "aaa aaas about acap acct cap cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid data dav\n"
    "dict dns enum example file ftp geo go gopher h323 http https iax icap im imap info ipp ipps iris\n"
    "iris.beep iris.lwz iris.xpc iris.xpcs jabber ldap leaptofrogans mailto mid msrp msrps mt mtqp\n"
    "mupdate news nfs ni nih nntp opaquelocktoken pkcs11 pop pres reload rtsp rtsps rtspu service\n"
    "session shttp sieve sip sips sms snmp soap.beep soap.beeps stun stuns tag tel telnet tftp\n"
    "thismessage tip tn3270 turn turns tv urn vemmi ws wss xcon xcon-userid xmlrpc.beep xmlrpc.beeps\n"
    "xmpp z39.50r z39.50s\n",
    "other": "acd acr adiumxtra adt afp afs aim amqp amqps amss android ap appdata apt ar ari ark at attachment aw\n"
    "barion bb beshare bitcoin bitcoincash bl blob bluetooth bolo brid browserext cabal caip\n"
    "calculator callto cast casts chrome chrome-extension com-eventbrite-attendee content\n"
    "content-type cstr cvs dab dat dhttp diaspora did dis dlna-playcontainer dlna-playsingle dnp\n"
    "dntp doi donau dpp drm drop dtmi dtn dvb dvx dweb ed2k eid elsi embedded ens esim ethereum\n"
    "facetime feed feedready fido finger first-run-pen-experience fish fm fuchsia-pkg gemini gg git\n"
    "gitoid gizmoproject graph gtalk ham hcap hcp hs20 hxxp hxxps hydrazone hyper i0 icon ilstring\n"
    "intent iotdisco ipfs ipn ipns irc irc6 ircs isostore itms jar jms keyparc lastfm lbry ldaps lid\n"
    "linkid lorawan lpa lvlt magnet maps market matrix message microsoft.windows.camera\n"
    "microsoft.windows.camera.multipicker microsoft.windows.camera.picker mms monero mongodb moz\n"
    "mqtt mqtts ms-access ms-appinstaller ms-browser-extension ms-calculator ms-drive-to\n"
    "ms-enrollment ms-excel ms-eyecontrolspeech ms-gamebarservices ms-gamingoverlay ms-getoffice\n"
    "ms-help ms-infopath ms-inputapp ms-launchremotedesktop ms-lockscreencomponent-config\n"
    "ms-media-stream-id ms-meetnow ms-mixedrealitycapture ms-mobileplans ms-newsandinterests\n"
    "ms-officeapp ms-people ms-personacard ms-powerpoint ms-project ms-publisher ms-recall\n"
    "ms-remotedesktop ms-remotedesktop-launch ms-restoretabcompanion ms-screenclip ms-screensketch\n"
    "ms-search ms-search-repair ms-secondary-screen-controller ms-secondary-screen-setup ms-settings\n"
    "ms-settings-airplanemode ms-settings-bluetooth ms-settings-camera ms-settings-cellular\n"
    "ms-settings-cloudstorage ms-settings-connectabledevices ms-settings-displays-topology\n"
    "ms-settings-emailandaccounts ms-settings-language ms-settings-location ms-settings-lock\n"
    "ms-settings-nfctransactions ms-settings-notifications ms-settings-power ms-settings-privacy\n"
    "ms-settings-proximity ms-settings-screenrotation ms-settings-wifi ms-settings-workplace\n"
    "ms-sharepoint ms-spd ms-stickers ms-sttoverlay ms-transit-to ms-useractivityset ms-uup\n"
    "ms-virtualtouchpad ms-visio ms-walk-to ms-whiteboard ms-whiteboard-cmd ms-widgetboard\n"
    "ms-widgets ms-word msnim mss msteams mtrust mumble mvn mvrp mvrps nostr notes num ocf oid\n"
    "onenote onenote-cmd onion openid openpgp4fpr otpauth palm paparazzi payment payto platform\n"
    "proxy psyc pttp pwid qb query quic-transport redis rediss res resource rmi rsync rtmfp rtmp\n"
    "sarif secondlife secret-token sftp sgn sgnl shc shelter signal simpleledger simplex skype smb\n"
    "smp smtp soldat spacify spiffe spotify ssb ssh starknet steam submit svn swh swid swidpath\n"
    "taler teamspeak teapot teapots teliaeid tg things thzp tool tor udp unreal ut2004\n"
    "uuid-in-package v-event ventrilo ves viber view-source vnc vscode vscode-insiders vsls w3 wasm\n"
    "wasm-js wcr web+ap web3 webcal whatsapp wifi wpid wtai wyciwyg xcompute xfire xftp xrcp xri\n"
    "ymsgr zoomus\n",
    "historical": "fax filesystem grd mailserver modem p1 pack prospero snews upt videotex wais z39.50\n",
    "help": "ghelp help man\n",
    "browsers": "javascript livescript mocha moz-extension vbscript\n",
}
