import { findResource } from '#lib/api/kinds.ts';
import { methodNotAllowed, noSuchPath } from '#lib/machinery/errors.ts';
import type { ApiserverPorts } from './apiserver-ports.ts';
import type { Handler } from './filters/filter.ts';
import type { SpecialEndpoints } from './router.ts';
import { accessReviewEndpoint } from './special/access-review.ts';
import { bindingEndpoint } from './special/binding.ts';
import { componentStatusEndpoint } from './special/component-status.ts';
import { ATTACH, EXEC, PORT_FORWARD } from './special/connect-options.ts';
import { evictionEndpoint } from './special/eviction.ts';
import { nodeChannelEndpoint } from './special/node-channel.ts';
import { nodeLookEndpoint } from './special/node-look.ts';
import { logEndpoint } from './special/pod-log.ts';
import { streamEndpoint } from './special/pod-stream.ts';
import { nodeProxyEndpoint, podProxyEndpoint } from './special/proxy.ts';
import { rulesReviewEndpoint } from './special/rules-review.ts';
import { selfSubjectReviewEndpoint } from './special/self-subject-review.ts';
import { serviceProxyEndpoint } from './special/service-proxy.ts';
import { limitStreams, StreamLimit } from './special/stream-limit.ts';
import { tokenEndpoint } from './special/token-request.ts';
import { tokenReviewEndpoint } from './special/token-review.ts';

/** Returns the endpoints that are not plain subresources of a stored kind. */
export function specialEndpoints(ports: ApiserverPorts): SpecialEndpoints {
  const componentStatus = served(componentStatusEndpoint(ports.healthChecks));
  const limit = new StreamLimit();
  const open = (handler: Handler): Handler => served(limitStreams(limit, handler));
  const exec = open(streamEndpoint(ports, EXEC));
  const attach = open(streamEndpoint(ports, ATTACH));
  const portForward = open(streamEndpoint(ports, PORT_FORWARD));
  return {
    '/bindings': created(bindingEndpoint(ports)),
    '/pods/binding': created(bindingEndpoint(ports)),
    '/pods/eviction': created(evictionEndpoint(ports)),
    '/serviceaccounts/token': created(tokenEndpoint(ports)),
    '/componentstatuses': { get: componentStatus, list: componentStatus },
    '/pods/log': { get: open(logEndpoint(ports)) },
    '/pods/exec': { get: exec, create: exec },
    '/pods/attach': { get: attach, create: attach },
    '/pods/portforward': { get: portForward, create: portForward },
    '/pods/proxy': proxied(open(podProxyEndpoint(ports))),
    'node.davit.dev/nodes/channel': { get: nodeChannelEndpoint(ports), create: nodeChannelEndpoint(ports) },
    'node.davit.dev/nodes/look': { get: nodeLookEndpoint(ports) },
    '/nodes/proxy': proxied(open(nodeProxyEndpoint(ports))),
    '/services/proxy': proxied(open(serviceProxyEndpoint(ports))),
    'authentication.k8s.io/selfsubjectreviews': created(selfSubjectReviewEndpoint(ports)),
    'authentication.k8s.io/tokenreviews': created(tokenReviewEndpoint(ports)),
    'authorization.k8s.io/localsubjectaccessreviews': created(accessReviewEndpoint(ports, 'LocalSubjectAccessReview')),
    'authorization.k8s.io/selfsubjectaccessreviews': created(accessReviewEndpoint(ports, 'SelfSubjectAccessReview')),
    'authorization.k8s.io/selfsubjectrulesreviews': created(rulesReviewEndpoint(ports)),
    'authorization.k8s.io/subjectaccessreviews': created(accessReviewEndpoint(ports, 'SubjectAccessReview')),
  };
}

const created = (handler: Handler): Record<string, Handler> => ({ create: served(handler) });

const proxied = (verb: Handler): Record<string, Handler> => ({
  get: verb,
  create: verb,
  update: verb,
  patch: verb,
  delete: verb,
  // Only methods without a verb reach this. Like upstream, only OPTIONS is forwarded to backends.
  '': (context) => {
    if (context.request.method !== 'OPTIONS') throw methodNotAllowed();
    return verb(context);
  },
});

/** Rejects versions that are not served, and paths that lack a namespace or a name or have a superfluous one. */
function served(handler: Handler): Handler {
  return (context) => {
    const { info } = context;
    const facts = findResource(info);
    const named = info.subresource !== '' || (info.resource === 'componentstatuses' && info.verb === 'get');
    const fits = facts !== undefined && facts.namespaced === (info.namespace !== '') && named === (info.name !== '');
    if (!fits) throw noSuchPath();
    context.outcome.servedAs = info.subresource;
    return handler(context);
  };
}
