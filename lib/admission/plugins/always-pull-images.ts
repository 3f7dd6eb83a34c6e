import { rejected } from '#lib/machinery/errors.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, items, text } from '#lib/machinery/unstructured.ts';
import { errorText, FieldPath, notSupported } from '#lib/machinery/validation/field.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];
const ALWAYS = 'Always';

interface Puller {
  readonly holder: JsonObject;
  readonly field: string;
  readonly path: FieldPath;
}

/** Images are pulled anew for every container, so that nobody uses a private one because it happens to be on a node. */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    for (const { holder, field } of pullers(attributes)) holder[field] = ALWAYS;
  },
  validate(attributes) {
    const wrong = pullers(attributes).filter(({ holder, field }) => text(holder, field) !== ALWAYS);
    const errors = wrong.map(({ holder, field, path }) =>
      refusal(attributes, errorText(notSupported(path.child(field), text(holder, field), [ALWAYS]))),
    );
    if (errors.length === 1 && errors[0] !== undefined) throw errors[0];
    if (errors.length > 1) throw rejected(`[${errors.map(({ message }) => message).join(', ')}]`);
  },
};

/** Whatever names an image in a pod that is created, or that an update gives a new one. */
function pullers(attributes: Attributes): Puller[] {
  const { object, oldObject } = attributes;
  if (!isAbout(attributes, '/pods') || object === undefined) return [];
  const spec = ensure(object, 'spec');
  if (oldObject !== undefined && !hasNewImage(spec, ensure({ ...oldObject }, 'spec'))) return [];
  const root = FieldPath.of('spec');
  const containers = LISTS.flatMap((list) =>
    items(spec, list).map((holder, i) => ({ holder, field: 'imagePullPolicy', path: root.child(list).index(i) })),
  );
  const volumes = items(spec, 'volumes').flatMap((volume, i) => {
    const holder = objectAt(volume, 'image');
    const path = root.child('volumes').index(i).child('image');
    return holder === undefined ? [] : [{ holder, field: 'pullPolicy', path }];
  });
  return [...containers, ...volumes];
}

function hasNewImage(spec: JsonObject, before: JsonObject): boolean {
  const images = (one: JsonObject): string[] => LISTS.flatMap((list) => items(one, list)).map((c) => text(c, 'image'));
  const known = new Set(images(before));
  return images(spec).some((image) => !known.has(image));
}
