import type { Door } from '#adapters/aws/lambda/door.ts';
import { newUid } from '#lib/machinery/random.ts';
import { vouchedCertificate } from '#lib/server/authentication/vouched-certificate.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { asStatusError, statusResponse } from '#lib/server/endpoints/status-response.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { Config } from './config.ts';
import { reportFault, startPlatform } from './platform.ts';
import type { Apiserver } from './wiring.ts';

/**
 * The server of an environment that receives events. It starts with the first event, which contains the URL that clients use. If the start
 * fails, the next event tries again.
 */
export function eventServer({ endpoint, originSecret, ...config }: Config, startAt = startPlatform) {
  let started: Promise<Apiserver> | undefined;
  const start = (domainName: string): Promise<Apiserver> => {
    const address = addressOf(endpoint ?? `https://${domainName}`);
    return startAt({ endpoint, originSecret, ...config }, address).catch((error: unknown) => {
      started = undefined;
      throw error;
    });
  };
  return (domainName: string): Pick<Door<never>, 'handle' | 'vouched'> => ({
    vouched: (headers) => vouchedCertificate(headers, originSecret),
    handle: async (request) => {
      const server = await (started ??= start(domainName)).catch((error: unknown) => notStarted(error, request));
      return 'handle' in server ? server.handle(request) : server;
    },
  });
}

/** Returns an error with the time after which the client should retry, as for any other request that the store could not serve. */
function notStarted(error: unknown, request: ApiRequest): ApiResponse {
  const auditId = newUid();
  reportFault(auditId, error);
  return statusResponse(asStatusError(error, auditId), request);
}

/** `host:port` of a URL. The port is always included. */
export function addressOf(endpoint: string): string {
  const { hostname, port } = new URL(endpoint);
  return `${hostname}:${port === '' ? '443' : port}`;
}
