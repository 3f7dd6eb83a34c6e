import type { PodCertificateProjection, Volume, VolumeProjection } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { hasNoField } from '#lib/machinery/json-value.ts';

/** A file in a volume. `source` names the source that contains it, if there are several. */
interface Mapped {
  readonly path: string;
  readonly source: string;
}

/** The maximum number of files per volume that are compared pairwise. */
const MAX_FILES = 500;

/** Warnings about files of one volume if one would overwrite the other or be its directory. */
export function overlapWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const { configMap, secret, downwardAPI } = volume;
    return [
      ...simple(volume, configMap?.items, `ConfigMap ${quote(configMap?.name ?? '')}`),
      ...simple(volume, secret?.items, `Secret ${quote(secret?.secretName ?? '')}`),
      ...simple(volume, downwardAPI?.items, 'DownwardAPI'),
      ...projected(volume),
    ];
  });
}

type Files = readonly { readonly path: string }[] | undefined;

const mapped = (files: Files, source: string): Mapped[] => (files ?? []).map(({ path }) => ({ path, source }));

function simple({ name }: Volume, files: Files, source: string): string[] {
  const head = `volume ${quote(name)} (${source}): overlapping paths: `;
  return overlaps(mapped(files, '')).map((overlap) => head + overlap);
}

function projected(volume: Volume): string[] {
  const head = `volume ${quote(volume.name)} (Projected)`;
  const sources = volume.projected?.sources ?? [];
  return [
    ...sources.filter(hasNoField).map(() => `${head} has no sources provided`),
    ...overlaps(sources.flatMap(filesOf)).map((overlap) => `${head}: overlapping paths: ${overlap}`),
  ];
}

function filesOf(source: VolumeProjection): Mapped[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle: bundle } = source;
  if (configMap?.items !== undefined) return mapped(configMap.items, `ConfigMap ${quote(configMap.name ?? '')}`);
  if (secret?.items !== undefined) return mapped(secret.items, `Secret ${quote(secret.name ?? '')}`);
  if (downwardAPI?.items !== undefined) return mapped(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken !== undefined) return mapped([serviceAccountToken], 'ServiceAccountToken');
  if (bundle === undefined) return certificateFiles(source.podCertificate);
  return mapped([bundle], `ClusterTrustBundle ${quote(bundle.name ?? bundle.signerName ?? '')}`);
}

function certificateFiles(certificate: PodCertificateProjection | undefined): Mapped[] {
  const files = [
    { path: certificate?.certificateChainPath ?? '', source: 'PodCertificate chain' },
    { path: certificate?.keyPath ?? '', source: 'PodCertificate key' },
    { path: certificate?.credentialBundlePath ?? '', source: 'PodCertificate credential bundle' },
  ];
  return files.filter(({ path }) => path !== '');
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
