import { expect, test } from 'vitest';
import { TEMPLATES } from './templates.ts';

const namesOf = (name: string, plural?: string): string | undefined =>
  /names:\n([^]*?)  versions:/
    .exec(TEMPLATES.crd(name, plural === undefined ? {} : { plural })[`${name}.crd.yaml`] ?? '')?.[1]
    ?.replaceAll(/\s+/g, ' ');

test.each([
  ['widget', undefined, 'plural: widgets singular: widget kind: Widget'],
  ['red-site', undefined, 'plural: redsites singular: redsite kind: RedSite'],
  ['policy', undefined, 'plural: policies singular: policy kind: Policy'],
  ['sandbox', undefined, 'plural: sandboxes singular: sandbox kind: Sandbox'],
  ['alias', undefined, 'plural: aliases singular: alias kind: Alias'],
  ['lens', 'lenses', 'plural: lenses singular: lens kind: Lens'],
])('a definition of %s (%s) has its names', (name, plural, names) => {
  expect(namesOf(name, plural)?.trim()).toBe(names);
});

test.each([
  ['widgets', 'widget?'],
  ['policies', 'policy?'],
  ['sandboxes', 'sandbox?'],
])('rejects %s as the name of a single object', (name, singular) => {
  expect(() => TEMPLATES.crd(name, {})).toThrow(singular);
});
