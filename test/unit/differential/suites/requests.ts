import { JSON_TYPE, type Step, type Suite } from '../case.ts';
import type { Draw } from '../draw.ts';
import { named, SEEDS } from '../seeds.ts';

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const ACCEPTS = [
  'application/json',
  '*/*',
  'application/yaml',
  'text/html',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  'text/html, application/json;q=0.5',
  '',
];
const QUERIES = [
  'limit=1',
  'limit=-1',
  'limit=x',
  'labelSelector=suite%3Ddifferential',
  'labelSelector=a+in+(b,c),!d',
  'labelSelector=a%3D%3D%3Db',
  'fieldSelector=metadata.name%3Dx',
  'fieldSelector=spec.none%3Dx',
  'fieldSelector=metadata.name!%3Dx',
  'resourceVersion=0',
  'resourceVersion=x',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersionMatch=NotOlderThan',
  'continue=abc',
  'watch=x',
  'timeoutSeconds=x',
  'pretty=true',
  'dryRun=All',
  'dryRun=None',
  'fieldValidation=Maybe',
  'fieldManager=%E2%80%83',
  'propagationPolicy=Orphan',
  'propagationPolicy=Sometimes',
  'gracePeriodSeconds=-5',
  'includeObject=Metadata',
  'unknown=1',
  'allowWatchBookmarks=true',
  'sendInitialEvents=true',
  'orphanDependents=true&propagationPolicy=Background',
];
const SUFFIXES = ['', '', '', '/status', '/scale', '/nothing', '/status/more', '/', '/log'];
/** Excludes cluster-scoped kinds and kinds of which every namespace has objects, because their lists differ between clusters. */
const NAMESPACED = SEEDS.filter(
  ({ path }) => path.includes('{ns}') && !/events$|serviceaccounts$|configmaps$/.test(path),
);

/** Requests with random methods, queries, media types and subresources to an object that exists and one that does not. */
export const requests: Suite = (draw, id) => {
  const seed = draw.pick(NAMESPACED);
  const object = named(seed, id);
  return {
    name: `requests to ${seed.object['kind']}`,
    steps: [
      { method: 'POST', path: seed.path, headers: JSON_TYPE, body: JSON.stringify(object) },
      ...draw.several(2, 6, () => request(draw, seed.path, id, JSON.stringify(object))),
      { method: 'DELETE', path: `${seed.path}/${id}?gracePeriodSeconds=0&propagationPolicy=Background`, ignored: true },
    ],
  };
};

function request(draw: Draw, collection: string, id: string, body: string): Step {
  const method = draw.pick(METHODS);
  const target = draw.pick([collection, `${collection}/${id}`, `${collection}/${id}`, `${collection}/absent`]);
  const query = draw.several(0, 3, () => draw.pick(QUERIES)).join('&');
  const path = `${target}${target === collection ? '' : draw.pick(SUFFIXES)}${query === '' ? '' : `?${query}`}`;
  const accept = { accept: draw.pick(ACCEPTS) };
  // A watch never ends by itself, and deleting a collection would delete other cases' objects.
  if (/watch=|sendInitial/.test(path) || (method === 'DELETE' && target === collection))
    return { method: 'GET', path: collection, headers: accept };
  if (!method.startsWith('P')) return { method, path, headers: accept };
  const type = draw.pick([
    'application/json',
    'application/json',
    'application/merge-patch+json',
    'text/plain',
    'application/yaml',
  ]);
  return {
    method,
    path,
    headers: { ...accept, 'content-type': type },
    body: draw.pick([body, body, '{}', '[]', 'null', '{', '', '{"a":1,"a":2}']),
  };
}
