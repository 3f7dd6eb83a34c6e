import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { quote } from '#lib/machinery/go.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';

/** A file in a volume; `source` names what it comes from, where there are several. */
interface Mapped {
  readonly path: string;
  readonly source: string;
}

/** Files per volume that are compared, each with each. */
const MAX_FILES = 500;

/** Files of one volume that would overwrite each other, or of which one would be the other's directory. */
export function overlapWarnings(volumes: readonly JsonObject[]): string[] {
  return volumes.flatMap((volume) => {
    const name = quote(text(volume, 'name'));
    return [
      ...simple(volume, 'configMap', `ConfigMap ${quote(text(objectAt(volume, 'configMap'), 'name'))}`),
      ...simple(volume, 'secret', `Secret ${quote(text(objectAt(volume, 'secret'), 'secretName'))}`),
      ...simple(volume, 'downwardAPI', 'DownwardAPI'),
      ...projected(volume, name),
    ];
  });
}

function simple(volume: JsonObject, field: string, what: string): string[] {
  const files = items(objectAt(volume, field), 'items').map((item) => ({ path: text(item, 'path'), source: '' }));
  const head = `volume ${quote(text(volume, 'name'))} (${what}): overlapping paths: `;
  return overlaps(files).map((overlap) => head + overlap);
}

function projected(volume: JsonObject, name: string): string[] {
  const sources = items(objectAt(volume, 'projected'), 'sources');
  const empty = sources.filter((source) => Object.keys(source).length === 0);
  return [
    ...empty.map(() => `volume ${name} (Projected) has no sources provided`),
    ...overlaps(sources.flatMap(filesOf)).map((overlap) => `volume ${name} (Projected): overlapping paths: ${overlap}`),
  ];
}

function filesOf(source: JsonObject): Mapped[] {
  const one = (field: string): JsonObject | undefined => objectAt(source, field);
  const files = (field: string, of: string): Mapped[] =>
    items(one(field), 'items').map((item) => ({ path: text(item, 'path'), source: of }));
  if (has(one('configMap'), 'items')) return files('configMap', `ConfigMap ${quote(text(one('configMap'), 'name'))}`);
  if (has(one('secret'), 'items')) return files('secret', `Secret ${quote(text(one('secret'), 'name'))}`);
  if (has(one('downwardAPI'), 'items')) return files('downwardAPI', 'DownwardAPI');
  const token = one('serviceAccountToken');
  if (token !== undefined) return [{ path: text(token, 'path'), source: 'ServiceAccountToken' }];
  const bundle = one('clusterTrustBundle');
  if (bundle !== undefined) {
    const name = has(bundle, 'name') ? text(bundle, 'name') : text(bundle, 'signerName');
    return [{ path: text(bundle, 'path'), source: `ClusterTrustBundle ${quote(name)}` }];
  }
  return certificateFiles(one('podCertificate'));
}

const CERTIFICATE_FILES: readonly (readonly [string, string])[] = [
  ['certificateChainPath', 'PodCertificate chain'],
  ['keyPath', 'PodCertificate key'],
  ['credentialBundlePath', 'PodCertificate credential bundle'],
];

function certificateFiles(certificate: JsonObject | undefined): Mapped[] {
  const set = CERTIFICATE_FILES.filter(([field]) => text(certificate, field) !== '');
  return set.map(([field, source]) => ({ path: text(certificate, field), source }));
}

function overlaps(files: readonly Mapped[]): string[] {
  const trimmed = files.slice(0, MAX_FILES).map(({ path, source }) => ({ path: withoutSlashes(path), source }));
  return trimmed.flatMap((file, i) =>
    trimmed
      .slice(0, i)
      .filter((other) => touches(file.path, other.path))
      .map((other) => `${shown(file)} with ${shown(other)}`),
  );
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function touches(a: string, b: string): boolean {
  return a !== '' && b !== '' && (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`));
}

function shown({ path, source }: Mapped): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`;
}
