import { quote } from '#lib/machinery/go.ts';
import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';

type Change = (spec: JsonObject, old: JsonObject) => boolean;

const resizesPod: Change = (spec, old) => !equal(objectAt(spec, 'resources'), objectAt(old, 'resources'));

const resizesInitContainer: Change = (spec, old) => {
  const now = items(spec, 'initContainers');
  return items(old, 'initContainers').some(
    (container, i) =>
      text(container, 'restartPolicy') !== 'Always' &&
      !equal(objectAt(container, 'resources') ?? {}, objectAt(now[i], 'resources') ?? {}),
  );
};

/** What an update asks of a node, by the name under which nodes declare it; upstream's other features ask nothing of updates. */
const FEATURES: readonly (readonly [name: string, isAsked: Change])[] = [
  ['InPlacePodLevelResourcesVerticalScaling', resizesPod],
  ['InPlacePodVerticalScalingInitContainers', resizesInitContainer],
];

/** A pod on a node changes only as its node says that it can: upstream's plugin of KEP-5328. */
export function nodeDeclaredFeatureValidator(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    operations: ['UPDATE'],
    about: ['/pods'],
    async validate(attributes) {
      const { resource, subresource, object, oldObject } = attributes;
      if (resource.group !== '' || resource.resource !== 'pods' || !SUBRESOURCES.has(subresource)) return;
      const [spec, old] = [objectAt(object, 'spec'), objectAt(oldObject, 'spec')];
      if (object === undefined || oldObject === undefined || spec === undefined || old === undefined) return;
      const name = text(spec, 'nodeName');
      if (name === '' || generationOf(object) === generationOf(oldObject)) return;
      const asked = FEATURES.filter(([, isAsked]) => isAsked(spec, old)).map(([feature]) => feature);
      if (asked.length === 0) return;
      const node = await lookup.find({ group: '', resource: 'nodes' }, name);
      if (node === undefined) throw refusal(attributes, `node ${quote(name)} not found`);
      const declared = texts(objectAt(node, 'status'), 'declaredFeatures');
      const missing = asked.filter((feature) => !declared.includes(feature));
      if (missing.length === 0) return;
      const why = `pod update requires features ${missing.join(', ')} which are not available on node ${quote(name)}`;
      throw refusal(attributes, why);
    },
  };
}

const SUBRESOURCES: ReadonlySet<string> = new Set(['', 'resize']);
