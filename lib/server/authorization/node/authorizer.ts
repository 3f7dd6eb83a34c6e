import type { ResourceSlice } from '#lib/api/types/resource.v1.ts';
import { RESOURCE_SLICES, VOLUME_ATTACHMENTS } from '#lib/api/types/resources.ts';
import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { ALLOW, type Attributes, type Authorizer, type Decision, noOpinion } from '../authorizer.ts';
import { CLUSTER_ROLES } from '../rbac/bootstrap-policy/cluster-roles.ts';
import { ruleOf } from '../rbac/bootstrap-policy/table.ts';
import { ruleAllows, rulesOf } from '../rbac/rule.ts';
import { nodeNameOf } from './identity.ts';
import type { Referenced } from './references.ts';
import type { Relations } from './relations.ts';

type Answer = Decision | Promise<Decision>;
type Judge = (node: string, asked: Attributes, relations: Relations) => Answer;

const LEASES = 'kube-node-lease';
const RULES = rulesOf({ rules: (CLUSTER_ROLES['system:node'] ?? []).map(ruleOf) });

/** Upstream's node authorizer: allows kubelets a fixed set of rules, and access to single objects only if their pods need them. */
export function nodeAuthorizer(relations: Relations): Authorizer {
  return async (user, asked) => {
    const node = nodeNameOf(user);
    if (node === undefined) return noOpinion();
    if (node === '') return noOpinion(`unknown node for user ${quote(user.name)}`);
    const judge = asked.isResourceRequest ? JUDGES.get(`${asked.group}/${asked.resource}`) : undefined;
    if (judge !== undefined) return judge(node, asked, relations);
    return RULES.some((rule) => ruleAllows(rule, asked)) ? ALLOW : noOpinion();
  };
}

/** Decision functions for single resources, by `group/resource`. */
const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['/secrets', readable('secrets')],
  ['/configmaps', readable('configmaps')],
  ['/persistentvolumeclaims', claims],
  ['/persistentvolumes', gettable((relations, asked) => relations.mounts(asked))],
  ['resource.k8s.io/resourceclaims', gettable((relations, asked) => relations.refersTo('resourceclaims', asked))],
  ['storage.k8s.io/volumeattachments', gettable(named(VOLUME_ATTACHMENTS))],
  ['/serviceaccounts', serviceAccounts],
  ['coordination.k8s.io/leases', leases],
  ['storage.k8s.io/csinodes', csiNodes],
  ['resource.k8s.io/resourceslices', resourceSlices],
  ['/nodes', nodes],
  ['/pods', pods],
  ['node.davit.dev/nodes', channels],
  ['certificates.k8s.io/podcertificaterequests', () => noOpinion()],
]);

type Related = (relations: Relations, asked: { node: string; namespace: string; name: string }) => Promise<boolean>;

function named(resource: ResourceOf<VolumeAttachment | ResourceSlice>): Related {
  return (relations, asked) => relations.isNamedBy(resource, asked);
}

async function related(
  node: string,
  { namespace, name }: Attributes,
  is: (asked: Parameters<Related>[1]) => Promise<boolean>,
): Promise<Decision> {
  if (name === '') return noOpinion('No Object name found');
  if (await is({ node, namespace, name })) return ALLOW;
  return noOpinion(`no relationship found between node '${node}' and this object`);
}

/** Allows reads of single namespaced objects that the node's pods refer to. */
function readable(kind: Referenced): Judge {
  return (node, asked, relations) => {
    if (!['get', 'list', 'watch'].includes(asked.verb)) return noOpinion('can only read resources of this type');
    if (asked.subresource !== '') return noOpinion('cannot read subresource');
    if (asked.namespace === '') return noOpinion('can only read namespaced object of this type');
    return related(node, asked, (object) => relations.refersTo(kind, object));
  };
}

function gettable(is: Related): Judge {
  return (node, asked, relations) => {
    if (asked.verb !== 'get') return noOpinion('can only get individual resources of this type');
    if (asked.subresource !== '') return noOpinion('cannot get subresource');
    return related(node, asked, (object) => is(relations, object));
  };
}

function claims(node: string, asked: Attributes, relations: Relations): Answer {
  const is: Related = (known, object) => known.refersTo('persistentvolumeclaims', object);
  if (asked.subresource !== 'status') return gettable(is)(node, asked, relations);
  if (asked.verb !== 'update' && asked.verb !== 'patch') return noOpinion('can only get/update/patch this type');
  return related(node, asked, (object) => is(relations, object));
}

function serviceAccounts(node: string, asked: Attributes, relations: Relations): Answer {
  const { verb, subresource, name } = asked;
  if (verb === 'get' && subresource === '') return readable('serviceaccounts')(node, asked, relations);
  if (verb !== 'create' || name === '') return noOpinion('can only create tokens for individual service accounts');
  if (subresource !== 'token') return noOpinion('can only create token subresource of serviceaccount');
  return related(node, asked, (object) => relations.refersTo('serviceaccounts', object));
}

const KEEPING = ['get', 'create', 'update', 'patch', 'delete'];

function leases(node: string, { verb, namespace, name }: Attributes): Decision {
  if (!KEEPING.includes(verb)) return noOpinion('can only get, create, update, patch, or delete a node lease');
  if (namespace !== LEASES) return noOpinion(`can only access leases in the ${quote(LEASES)} system namespace`);
  if (verb !== 'create' && name !== node)
    return noOpinion('can only access node lease with the same name as the requesting node');
  return ALLOW;
}

function csiNodes(node: string, { verb, subresource, name }: Attributes): Decision {
  if (!KEEPING.includes(verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return noOpinion('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node)
    return noOpinion('can only access CSINode with the same name as the requesting node');
  return ALLOW;
}

/** Allows creating any ResourceSlice. Admission requires that it names the node. */
function resourceSlices(node: string, asked: Attributes, relations: Relations): Answer {
  if (asked.subresource !== '') return noOpinion('cannot authorize ResourceSlice subresources');
  switch (asked.verb) {
    case 'create':
      return ALLOW;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return related(node, asked, (object) => named(RESOURCE_SLICES)(relations, object));
    case 'watch':
    case 'list':
    case 'deletecollection':
      return isLimitedTo(asked, 'spec.nodeName', node)
        ? ALLOW
        : noOpinion('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return noOpinion(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
  }
}

function nodes(node: string, { verb, subresource, name }: Attributes): Decision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOW : noOpinion();
  if (subresource !== '') return noOpinion();
  if (['create', 'update', 'patch'].includes(verb)) return ALLOW;
  if (!['get', 'list', 'watch'].includes(verb)) return noOpinion();
  if (name === node) return ALLOW;
  const what = name === '' ? 'all nodes' : `'${name}'`;
  return noOpinion(`node '${node}' cannot read ${what}, only its own Node object`);
}

/** Allows a node to open its own channel (GET, authorized as create) and its own `look` subresource. */
function channels(node: string, { verb, subresource, name }: Attributes): Decision {
  const isChannel = subresource === 'channel' && (verb === 'get' || verb === 'create');
  const isLook = subresource === 'look' && verb === 'get';
  return (isChannel || isLook) && name === node ? ALLOW : noOpinion('can only open the channel of the own node');
}

function pods(node: string, asked: Attributes, relations: Relations): Answer {
  const { verb, subresource } = asked;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOW : noOpinion();
  if (subresource === 'eviction') return verb === 'create' ? ALLOW : noOpinion();
  if (subresource !== '') return noOpinion();
  if (verb === 'create' || verb === 'delete') return ALLOW;
  const isRelated = () => related(node, asked, (object) => relations.hasPod(object));
  if (verb === 'get') return isRelated();
  if (verb !== 'list' && verb !== 'watch') return noOpinion();
  if (isLimitedTo(asked, 'spec.nodeName', node)) return ALLOW;
  return asked.name === '' ? noOpinion('can only list/watch pods with spec.nodeName field selector') : isRelated();
}

const isLimitedTo = ({ fieldSelector = [] }: Attributes, field: string, value: string): boolean =>
  fieldSelector.some((one) => one.field === field && one.operator === '=' && one.value === value);
