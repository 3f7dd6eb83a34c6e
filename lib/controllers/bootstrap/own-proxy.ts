import { IDENTITY_HEADERS } from '#lib/server/aggregation/identity-headers.ts';
import { FRONT_PROXY_CLIENT } from '../certificates/front-proxy.ts';
import type { FrontProxy } from '../certificates/kept-front-proxy.ts';
import type { ClusterTrust } from './objects.ts';

/** This server as a proxy that aggregated servers trust: its authority, its name, and the headers that it sends. */
export const ownProxy = ({ authority }: Pick<FrontProxy, 'authority'>): NonNullable<ClusterTrust['proxies']> => ({
  authority,
  allowedNames: [FRONT_PROXY_CLIENT],
  usernameHeaders: [IDENTITY_HEADERS.user],
  uidHeaders: [IDENTITY_HEADERS.uid],
  groupHeaders: [IDENTITY_HEADERS.group],
  extraHeaderPrefixes: [IDENTITY_HEADERS.extra],
});
