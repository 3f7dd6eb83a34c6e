import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { rejected } from '#lib/machinery/errors.ts';
import { errorText, FieldPath, notSupported } from '#lib/machinery/validation/field.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const ALWAYS = 'Always';

/** A pull policy of a pod. */
interface Puller {
  /** The policy. Empty if the pod sets none. */
  readonly policy: string;
  readonly path: FieldPath;
  set(policy: string): void;
}

/** Forces every container to pull its image, so that a pod cannot use a private image just because it is already on the node. */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    for (const puller of pullers(attributes)) puller.set(ALWAYS);
  },
  validate(attributes) {
    const wrong = pullers(attributes).filter(({ policy }) => policy !== ALWAYS);
    const errors = wrong.map(({ policy, path }) =>
      refusal(attributes, errorText(notSupported(path, policy, [ALWAYS]))),
    );
    if (errors.length === 1 && errors[0] !== undefined) throw errors[0];
    if (errors.length > 1) throw rejected(`[${errors.map(({ message }) => message).join(', ')}]`);
  },
};

/** Returns the pull policies of containers and image volumes, if the pod is created or an update changes an image. */
function pullers(attributes: Attributes): Puller[] {
  if (!isAbout(attributes, PODS) || attributes.object === undefined) return [];
  const { spec } = attributes.object;
  if (attributes.oldObject !== undefined && !hasNewImage(spec, attributes.oldObject.spec)) return [];
  const root = FieldPath.of('spec');
  const containers = LISTS.flatMap((list) =>
    (spec[list] ?? []).map((container, i) => ({
      policy: container.imagePullPolicy ?? '',
      path: root.child(list).index(i).child('imagePullPolicy'),
      set: (policy: string) => void (container.imagePullPolicy = policy),
    })),
  );
  const volumes = (spec.volumes ?? []).flatMap(({ image }, i) => {
    if (image === undefined) return [];
    const path = root.child('volumes').index(i).child('image').child('pullPolicy');
    return [{ policy: image.pullPolicy ?? '', path, set: (policy: string) => void (image.pullPolicy = policy) }];
  });
  return [...containers, ...volumes];
}

function hasNewImage(spec: PodSpec, before: PodSpec): boolean {
  const images = (one: PodSpec): string[] => LISTS.flatMap((list) => (one[list] ?? []).map(({ image = '' }) => image));
  const known = new Set(images(before));
  return images(spec).some((image) => !known.has(image));
}
