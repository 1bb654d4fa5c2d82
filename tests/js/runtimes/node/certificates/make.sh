#!/bin/sh
# Made these certificates, once: a CA, a server, and two clients. They are good from 2020 to 2120,
# and for nothing but tests.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
cat > "$scratch/ca.cnf" <<END
[ca]
default_ca = test
[test]
database = $scratch/index
new_certs_dir = $scratch
rand_serial = yes
default_md = sha256
policy = any
[any]
organizationName = optional
commonName = supplied
[authority]
basicConstraints = critical, CA:true
[leaf]
subjectAltName = DNS:api.example, IP:127.0.0.1
END
: > "$scratch/index"
request() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
    -subj "/O=testers/CN=$1" -keyout "$2" -out "$scratch/$1.csr"
}
request ca "$scratch/ca.key"
openssl ca -batch -notext -config "$scratch/ca.cnf" -in "$scratch/ca.csr" -out ca.crt \
  -startdate 20200101000000Z -enddate 21200101000000Z -extensions authority \
  -selfsign -keyfile "$scratch/ca.key"
for name in server client-a client-b; do
  request "$name" "$name.key"
  openssl ca -batch -notext -config "$scratch/ca.cnf" -in "$scratch/$name.csr" -out "$name.crt" \
    -startdate 20200101000000Z -enddate 21200101000000Z -extensions leaf \
    -cert ca.crt -keyfile "$scratch/ca.key"
done
rm -r "$scratch"
