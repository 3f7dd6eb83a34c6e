import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { type AskPorts, askAt, urlOf } from './ask.ts';
import { locate } from './location.ts';
import { DISCOVERY_TIMEOUT } from './proxy-handler.ts';
import type { RemoteService } from './remote-services.ts';

/** The user that this server is to aggregated ones: nobody refuses it. */
export const AGGREGATOR: User = { name: 'system:kube-aggregator', groups: ['system:masters'] };

/** Endpoints of a Service are drawn at random: one that is dead hides no other. */
const ATTEMPTS = 5;

/** Why a server does not answer for its group version; undefined where it does. Upstream's words. */
export type DiscoveryCheck = (remote: RemoteService) => Promise<string | undefined>;

/** Asks a server for its group version, several times at once: one success is enough. */
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
