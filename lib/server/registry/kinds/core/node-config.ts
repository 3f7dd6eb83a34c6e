import type { ConfigMapNodeConfigSource, NodeConfigSource, NodeConfigStatus } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, forbidden, invalid, required } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey } from '#lib/machinery/validation/formats.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { checked } from '../shared/validate.ts';

/** Dynamic kubelet configuration was removed, but objects that contain it are still validated. */
export function validateConfigSource(source: NodeConfigSource, path: FieldPath): FieldError[] {
  return oneReference(source, path, (map, where) => [
    ...((map.uid ?? '') === '' ? [] : [forbidden(where.child('uid'), 'uid must not be set in spec')]),
    ...((map.resourceVersion ?? '') === ''
      ? []
      : [forbidden(where.child('resourceVersion'), 'resourceVersion must not be set in spec')]),
  ]);
}

/** The sources that a kubelet reports must include the version of their config map. */
export function validateConfigStatus(status: NodeConfigStatus | undefined, path: FieldPath): FieldError[] {
  return (['assigned', 'active', 'lastKnownGood'] as const).flatMap((field) => {
    const source = status?.[field];
    if (source === undefined) return [];
    return oneReference(source, path.child(field), (map, where) =>
      (['uid', 'resourceVersion'] as const).flatMap((name) =>
        (map[name] ?? '') === '' ? [required(where.child(name))] : [],
      ),
    );
  });
}

function oneReference(
  source: NodeConfigSource,
  path: FieldPath,
  check: (map: ConfigMapNodeConfigSource, path: FieldPath) => FieldError[],
): FieldError[] {
  const map = source.configMap;
  if (map === undefined) {
    return [invalid(path, new Map([['ConfigMap', null]]), 'exactly one reference subfield must be non-nil')];
  }
  const where = path.child('configMap');
  return [
    ...check(map, where),
    ...named(map, 'namespace', where, isDNS1123Label),
    ...named(map, 'name', where, isDNS1123Subdomain),
    ...named(map, 'kubeletConfigKey', where, isConfigMapKey),
  ];
}

function named(
  map: ConfigMapNodeConfigSource,
  field: 'namespace' | 'name' | 'kubeletConfigKey',
  path: FieldPath,
  check: (value: string) => readonly string[],
): FieldError[] {
  const value = map[field];
  return value === '' ? [required(path.child(field))] : checked(value, path.child(field), check);
}
