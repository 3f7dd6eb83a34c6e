import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { quote } from '#lib/machinery/go.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

type Change = (spec: PodSpec, old: PodSpec) => boolean;

const resizesPod: Change = (spec, old) => !equal(spec.resources, old.resources);

const resizesInitContainer: Change = (spec, old) =>
  (old.initContainers ?? []).some(
    ({ restartPolicy, resources }, i) =>
      restartPolicy !== 'Always' && !equal(resources, spec.initContainers?.[i]?.resources ?? {}),
  );

/** Features that an update may require, under the names that nodes declare. Updates never require upstream's other features. */
const FEATURES: readonly (readonly [name: string, isRequired: Change])[] = [
  ['InPlacePodLevelResourcesVerticalScaling', resizesPod],
  ['InPlacePodVerticalScalingInitContainers', resizesInitContainer],
];

/** Rejects pod updates that require features which the node does not declare: upstream's plugin of KEP-5328. */
export function nodeDeclaredFeatureValidator(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'NodeDeclaredFeatureValidator',
    operations: ['UPDATE'],
    about: ['/pods'],
    async validate(attributes) {
      if (!isAbout(attributes, PODS) && !isAbout(attributes, PODS, 'resize')) return;
      const { object, oldObject } = attributes;
      if (object === undefined || oldObject === undefined) return;
      const name = nodeNameOf(object);
      if (name === '' || generationOf(object) === generationOf(oldObject)) return;
      const required = FEATURES.filter(([, isRequired]) => isRequired(object.spec, oldObject.spec)).map(
        ([feature]) => feature,
      );
      if (required.length === 0) return;
      const node = await lookup.find(NODES, name);
      if (node === undefined) throw refusal(attributes, `node ${quote(name)} not found`);
      const declared = node.status.declaredFeatures ?? [];
      const missing = required.filter((feature) => !declared.includes(feature));
      if (missing.length === 0) return;
      const why = `pod update requires features ${missing.join(', ')} which are not available on node ${quote(name)}`;
      throw refusal(attributes, why);
    },
  };
}
