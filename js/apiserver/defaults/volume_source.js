/** The defaults of a pod's volumes. Counterpart: pkg/apis/core/v1/defaults.go, v1.36. */

/** 0644 in octal. */
const FILE_MODE = 420;

/** The lifetime of a projected token: seconds. */
const TOKEN_EXPIRATION = 3600;

/** @param {any} volume of a pod's spec */
export function withVolumeSourceDefaults(volume) {
  const { secret, configMap, downwardAPI, projected, hostPath, ephemeral } = volume;
  if (Object.keys(volume).length === 1) return { ...volume, emptyDir: {} };
  return {
    ...volume,
    ...(secret && { secret: withMode(secret) }),
    ...(configMap && { configMap: withMode(configMap) }),
    ...(downwardAPI && { downwardAPI: { ...withMode(downwardAPI), ...itemsOf(downwardAPI) } }),
    ...(projected && { projected: projectedDefaults(projected) }),
    ...(hostPath && { hostPath: { ...hostPath, type: hostPath.type ?? '' } }),
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
