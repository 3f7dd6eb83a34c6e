import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { type AskPorts, askAt, urlOf } from './ask.ts';
import { locate } from './location.ts';
import { DISCOVERY_TIMEOUT } from './proxy-handler.ts';
import type { RemoteService } from './remote-services.ts';

/** The user with which this server authenticates at aggregated servers. They always authorize it. */
export const AGGREGATOR: User = { name: 'system:kube-aggregator', groups: ['system:masters'] };

/** The number of attempts. Endpoints of a Service are chosen at random, so a dead endpoint does not hide the others. */
const ATTEMPTS = 5;

/** Resolves with the reason why a server does not respond for its group version, with upstream's text. Undefined if it responds. */
export type DiscoveryCheck = (remote: RemoteService) => Promise<string | undefined>;

/** Requests a server's group version several times concurrently. One success is enough. */
export const discoveryCheck =
  (ports: AskPorts): DiscoveryCheck =>
  async (remote) => {
    const attempts = Array.from({ length: ATTEMPTS }, () => attempt(ports, remote));
    return Promise.any(attempts).then(
      () => undefined,
      (error: unknown) => messageOfError(error instanceof AggregateError ? error.errors.at(-1) : error),
    );
  };

async function attempt(ports: AskPorts, remote: RemoteService): Promise<void> {
  const path = `/apis/${remote.group}/${remote.version}`;
  const to = await locate(ports.backends, remote, path);
  const url = urlOf(to);
  const { status } = await askAt(ports, to, { path, user: AGGREGATOR, timeout: DISCOVERY_TIMEOUT }).catch(
    (error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      throw new Error(`failing or missing response from ${url}: Get ${quote(url)}: ${error.message}`);
    },
  );
  if (status < 200 || status >= 300)
    throw new Error(`failing or missing response from ${url}: bad status from ${url}: ${status}`);
}
