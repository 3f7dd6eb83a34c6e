import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { JSON_TYPE, type Step, type Suite } from '../case.ts';
import type { Draw } from '../draw.ts';
import { mutated } from '../mutate.ts';
import { named, SEEDS } from '../seeds.ts';

const MANAGERS = ['alice', 'bob', 'carol'];
/** Kinds whose objects are deleted immediately and whose creation has no side effects. */
const LASTING = SEEDS.filter(
  ({ object }) => !/^(Namespace|Event|Node|PersistentVolume|PersistentVolumeClaim|Pod)$/.test(String(object['kind'])),
);

/** One object that is created, changed three to six times by updates and every type of patch, read and deleted. */
export const patches: Suite = (draw, id) => {
  const seed = draw.pick(LASTING);
  const object = named(seed, id);
  const path = `${seed.path}/${id}`;
  return {
    name: `change ${seed.object['kind']}`,
    steps: [
      { method: 'POST', path: `${seed.path}?fieldManager=creator`, headers: JSON_TYPE, body: JSON.stringify(object) },
      ...draw.several(3, 7, () => change(draw, path, object)),
      { method: 'GET', path },
      { method: 'DELETE', path: `${path}?gracePeriodSeconds=0&propagationPolicy=Background`, ignored: true },
    ],
  };
};

function change(draw: Draw, path: string, object: JsonObject): Step {
  const manager = `fieldManager=${draw.pick(MANAGERS)}`;
  const send = (type: string, body: Json, query = manager): Step => ({
    method: 'PATCH',
    path: `${path}?${query}`,
    headers: { 'content-type': `application/${type}` },
    body: JSON.stringify(body),
  });
  switch (draw.between(0, 5)) {
    case 0:
      return {
        method: 'PUT',
        path: `${path}?${manager}`,
        headers: JSON_TYPE,
        body: JSON.stringify(mutated(draw, object, draw.between(0, 3))),
      };
    case 1:
      return send('merge-patch+json', part(draw, mutated(draw, object, draw.between(0, 3))));
    case 2:
      return send('strategic-merge-patch+json', part(draw, mutated(draw, object, draw.between(0, 3))));
    case 3:
      return send(
        'json-patch+json',
        draw.several(1, 4, () => operation(draw, object)),
      );
    default:
      return send('apply-patch+yaml', applied(draw, object), `${manager}&force=${draw.chance(0.5)}`);
  }
}

/** Some of the top-level fields, except those that identify the object. */
function part(draw: Draw, object: JsonObject): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = object;
  const kept = Object.entries(rest).filter(() => draw.chance(0.8));
  const labels = draw.chance(0.3) ? { metadata: { labels: { tier: draw.pick(['a', 'b']), suite: null } } } : {};
  return { ...Object.fromEntries(kept), ...labels };
}

function applied(draw: Draw, object: JsonObject): JsonObject {
  const { apiVersion = '', kind = '', metadata = {} } = object;
  return { ...part(draw, mutated(draw, object, draw.between(0, 2))), apiVersion, kind, metadata };
}

const OPERATIONS = ['add', 'remove', 'replace', 'test', 'copy', 'move', 'unknown'];

function operation(draw: Draw, object: JsonObject): JsonObject {
  const pointers = pointersOf(object);
  return {
    op: draw.pick(OPERATIONS),
    path: draw.pick([...pointers, '/metadata/labels/new', '/nothing/here', '', 'bad']),
    from: draw.pick(pointers),
    value: draw.pick<Json>([1, 'x', null, {}, [], { a: 'b' }]),
  };
}

function pointersOf(value: Json, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return at === '' ? [] : [at];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    pointersOf(item, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return at === '' ? inner : [at, ...inner];
}
