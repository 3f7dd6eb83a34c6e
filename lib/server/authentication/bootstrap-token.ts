import { hash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '#lib/api/types/core.v1.ts';
import { SECRETS } from '#lib/api/types/resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { dateOf, parseTime, TimeError } from '#lib/machinery/time.ts';
import { FRESH, type Lookup, RECENT } from '#lib/storage/lookup.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { BOOTSTRAPPERS } from './node-bootstrap.ts';
import type { User } from './user.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const PLACE = { ...SECRETS, namespace: 'kube-system' };
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** The prefix of the names of Secrets that contain tokens. */
const PREFIX = 'bootstrap-token-';
/** The minimum interval in ms between fresh reads of the Secrets, however many tokens are tried. */
const PAUSE = 1000;

/** Authenticates tokens `id.secret` of Secrets in kube-system, with which nodes join. Rejections have no specific reason. */
export function bootstrapTokens({
  lookup,
  clock,
}: {
  lookup: Pick<Lookup, 'named'>;
  clock: Clock;
}): TokenAuthenticator {
  let looked = Number.NEGATIVE_INFINITY;
  const secrets = async (): Promise<ReadonlyMap<string, Secret>> => {
    if (clock.monotonic() - looked < PAUSE) return lookup.named(PLACE, PREFIX, RECENT);
    looked = clock.monotonic();
    return lookup.named(PLACE, PREFIX, FRESH);
  };
  return async (token) => {
    const [, id = '', secret = ''] = TOKEN.exec(token) ?? [];
    const found = id === '' ? undefined : (await secrets()).get(`${PREFIX}${id}`);
    const user = found && holder(found, { id, secret, now: clock.now() });
    return user && { user };
  };
}

function holder(object: Secret, { id, secret, now }: { id: string; secret: string; now: number }): User | undefined {
  const data = (key: string): string => Buffer.from(ownField(object.data, key) ?? '', 'base64').toString();
  const holds =
    object.type === 'bootstrap.kubernetes.io/token' &&
    !isDeleting(object) &&
    same(data('token-secret'), secret) &&
    data('token-id') === id &&
    timeLeft(data('expiration'), now) > 0 &&
    data('usage-bootstrap-authentication') === 'true';
  const extra = data('auth-extra-groups')
    .split(',')
    .filter((group, _, all) => group !== '' || all.length > 1);
  if (!holds || !extra.every((group) => GROUP.test(group))) return undefined;
  return { name: `system:bootstrap:${id}`, groups: [...new Set([BOOTSTRAPPERS, ...extra])].toSorted() };
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** The time in ms until a token expires. 0 if it has expired or the time is invalid, Infinity if absent. */
export function timeLeft(expiration: string, now: number): number {
  if (expiration === '') return Infinity;
  try {
    return Math.max(0, dateOf(parseTime(expiration)).getTime() - now);
  } catch (error) {
    if (error instanceof TimeError) return 0;
    throw error;
  }
}
