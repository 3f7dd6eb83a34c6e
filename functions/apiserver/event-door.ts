import type { Door } from '#adapters/lambda/door.ts';
import { vouchedCertificate } from '#lib/authentication/vouched-certificate.ts';
import type { Config } from './config.ts';
import { startPlatform } from './platform.ts';
import type { Apiserver } from './wiring.ts';

/**
 * The server of an environment that is given events. It starts with the first of them, which tells where clients reach it, and
 * again with the next where it could not.
 */
export function eventServer({ endpoint, originSecret, ...config }: Config) {
  let started: Promise<Apiserver> | undefined;
  const start = (domainName: string): Promise<Apiserver> => {
    const address = addressOf(endpoint ?? `https://${domainName}`);
    return startPlatform({ endpoint, originSecret, ...config }, address).catch((error: unknown) => {
      started = undefined;
      throw error;
    });
  };
  return (domainName: string): Pick<Door<never>, 'handle' | 'vouched'> => ({
    vouched: (headers) => vouchedCertificate(headers, originSecret),
    handle: async (request) => (await (started ??= start(domainName))).handle(request),
  });
}

/** `host:port` of a URL, the port always. */
export function addressOf(endpoint: string): string {
  const { hostname, port } = new URL(endpoint);
  return `${hostname}:${port === '' ? '443' : port}`;
}
