/** The defaults of a pod's volumes. Counterpart: pkg/apis/core/v1/defaults.go, v1.36. */

/** 0644 in octal. */
const FILE_MODE = 420;

/** The lifetime of a projected token: seconds. */
const TOKEN_EXPIRATION = 3600;

/** The fields of sources that have fixed defaults. @type {Record<string, object>} */
const FIXED = {
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  hostPath: { type: '' },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

/**
 * Returns the pull policy of an image: those with the tag `latest` are always pulled.
 * @param {string} [reference]
 */
export function pullPolicyOf(reference = '') {
  const [name, digest] = reference.split('@');
  const [, tag = 'latest'] = /:([^:/]+)$/.exec(name) ?? [];
  return digest === undefined && tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/**
 * Returns a volume of a pod's spec with its defaults.
 * @param {any} volume
 */
export function withVolumeSourceDefaults(volume) {
  const { secret, configMap, downwardAPI, projected, ephemeral, image } = volume;
  if (Object.keys(volume).length === 1) return { ...volume, emptyDir: {} };
  const fixed = Object.keys(FIXED).filter((name) => volume[name]);
  return {
    ...volume,
    ...Object.fromEntries(fixed.map((name) => [name, { ...FIXED[name], ...volume[name] }])),
    ...(secret && { secret: withMode(secret) }),
    ...(configMap && { configMap: withMode(configMap) }),
    ...(downwardAPI && { downwardAPI: { ...withMode(downwardAPI), ...itemsOf(downwardAPI) } }),
    ...(projected && { projected: projectedDefaults(projected) }),
    ...(image && { image: { pullPolicy: pullPolicyOf(image.reference), ...image } }),
    ...(ephemeral?.volumeClaimTemplate && { ephemeral: ephemeralDefaults(ephemeral) }),
  };
}

/** @param {any} source */
function withMode(source) {
  return { ...source, defaultMode: source.defaultMode ?? FILE_MODE };
}

/** @param {any} source */
function itemsOf({ items }) {
  if (!items) return {};
  const complete = (/** @type {any} */ item) =>
    item.fieldRef ? { ...item, fieldRef: { apiVersion: 'v1', ...item.fieldRef } } : item;
  return { items: items.map(complete) };
}

/** @param {any} projected */
function projectedDefaults(projected) {
  const sources = projected.sources?.map((/** @type {any} */ source) => {
    const { serviceAccountToken: token, downwardAPI } = source;
    if (downwardAPI) return { ...source, downwardAPI: { ...downwardAPI, ...itemsOf(downwardAPI) } };
    if (!token) return source;
    const expirationSeconds = token.expirationSeconds ?? TOKEN_EXPIRATION;
    return { ...source, serviceAccountToken: { ...token, expirationSeconds } };
  });
  return { ...withMode(projected), ...(sources && { sources }) };
}

/** @param {any} ephemeral */
function ephemeralDefaults({ volumeClaimTemplate: template, ...others }) {
  const { spec } = template;
  const volumeMode = spec?.volumeMode ?? 'Filesystem';
  return { ...others, volumeClaimTemplate: { ...template, spec: { ...spec, volumeMode } } };
}
