import { createHash } from 'node:crypto';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { applyDefaults } from '#lib/api/defaults.ts';
import { findResource } from '#lib/api/kinds.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Pod, Toleration } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { quote } from '#lib/machinery/go.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { isObject, sortedByKey, stringAt } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { aggregate, FieldPath } from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { validateObjectMeta } from '#lib/machinery/validation/object-meta.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { defaultPod } from '#lib/server/registry/kinds/core/pod/defaults.ts';
import { podValidationOptions } from '#lib/server/registry/kinds/core/pod/options.ts';
import { validatePodCreate } from '#lib/server/registry/kinds/core/pod/validation/pod.ts';
import { CONFIG_HASH } from '../types/pod-update.ts';
import { apiObjectReference } from './api-object-reference.ts';

/** Maximum number of values in a manifest. */
const MAX_VALUES = 100_000;
const NAMES = { namespaced: true, validateName: nameIsDNSSubdomain, path: FieldPath.of('metadata') };
/** A static pod stays on its node despite any taint. */
const TOLERATED: Toleration = { operator: 'Exists', effect: 'NoExecute' };

/** The origin of a manifest. */
export interface ManifestOrigin {
  readonly file: string;
  readonly node: string;
}

/**
 * The pod from a manifest in YAML or JSON, with defaults and a name that includes its node. Without a uid, it gets one derived from its
 * text, file and node. Throws Error with upstream's text for an invalid static pod. The digest is SHA-256, unlike upstream's.
 */
export function staticPodOf(manifest: Uint8Array, origin: ManifestOrigin): Pod {
  const pod = decoded(manifest);
  if (nameOf(pod) === '') throw new Error('invalid pod: name is needed for the pod');
  const { metadata, spec } = withOrigin(pod, origin);
  const placed: Pod = { ...pod, metadata, spec, status: { phase: 'Pending' } };
  if (!isPathComponent(metadata.uid ?? ''))
    throw new Error(`invalid pod: its uid ${quote(metadata.uid ?? '')} is no file name`);
  const errors = [
    ...validateObjectMeta(metadata, NAMES),
    ...validatePodCreate(placed, podValidationOptions(undefined, true)),
  ];
  if (errors.length > 0) throw new Error(`invalid pod: ${aggregate(errors)}`);
  const resource = apiObjectReference(placed);
  if (resource !== undefined) throw new Error(`static pods may not reference ${resource}`);
  return placed;
}

/** The uid becomes the name of the pod's directory. The API server generates uids, but a manifest may contain any text. */
const isPathComponent = (uid: string): boolean => /^[0-9A-Za-z][-._0-9A-Za-z]{0,127}$/.test(uid);

function decoded(manifest: Uint8Array): Pod {
  const { value } = decodeYaml(manifest, { maxValues: MAX_VALUES });
  const facts = findResource(PODS);
  if (facts === undefined || !isObject(value)) throw new TypeError('the manifest holds no object');
  const [apiVersion, kind] = [stringAt(value, 'apiVersion'), stringAt(value, 'kind')];
  if (apiVersion !== 'v1' || kind !== 'Pod') throw new Error(`invalid pod: it is of kind ${apiVersion} ${kind}`);
  const { object } = decodeTyped(facts, value);
  applyDefaults(facts, object);
  const pod = typedObject(PODS, object);
  defaultPod(pod);
  return pod;
}

function withOrigin(pod: Pod, { file, node }: ManifestOrigin): Pick<Pod, 'metadata' | 'spec'> {
  const { metadata, spec } = pod;
  const digest = createHash('sha256')
    .update(encodeJson(sortedByKey(pod)))
    .update(`host:${node}file:${file}`)
    .digest('hex');
  const uid = uidOf(pod) === '' ? digest.slice(0, 32) : uidOf(pod);
  const isTolerated = (spec.tolerations ?? []).some(
    ({ key = '', operator, effect }) => key === '' && operator === 'Exists' && effect === 'NoExecute',
  );
  return {
    metadata: {
      ...metadata,
      uid,
      name: `${nameOf(pod)}-${node.toLowerCase()}`,
      namespace: namespaceOf(pod) === '' ? 'default' : namespaceOf(pod),
      annotations: { ...metadata.annotations, [CONFIG_HASH]: uid },
    },
    spec: {
      ...spec,
      nodeName: node,
      tolerations: isTolerated ? (spec.tolerations ?? []) : [...(spec.tolerations ?? []), TOLERATED],
    },
  };
}
