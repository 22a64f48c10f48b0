#!/bin/sh
# Hands a renewed certificate to Parlor, which sees the files change. Not run by certbot or lego where it was written.
#   certbot: /etc/letsencrypt/renewal-hooks/deploy/parlor (executable); it sets RENEWED_LINEAGE.
#   lego:    --renew-hook /usr/local/bin/deploy-certificate.sh; it sets LEGO_CERT_PATH and LEGO_CERT_KEY_PATH.
# Both files are written beside their place and renamed: the server never sees half of one.
set -eu
cert=${LEGO_CERT_PATH:-${RENEWED_LINEAGE:-}/fullchain.pem}
key=${LEGO_CERT_KEY_PATH:-${RENEWED_LINEAGE:-}/privkey.pem}
to=${PARLOR_TLS_DIR:-/var/lib/parlor/tls}
owner=${PARLOR_USER:-parlor}
install -d -m 750 -o "$owner" -g "$owner" "$to"
install -m 600 -o "$owner" -g "$owner" "$key" "$to/privkey.pem.new"
install -m 644 -o "$owner" -g "$owner" "$cert" "$to/fullchain.pem.new"
mv "$to/privkey.pem.new" "$to/privkey.pem"
mv "$to/fullchain.pem.new" "$to/fullchain.pem"
