import * as z from 'zod/mini';
import { GATEWAY_ENVIRONMENT, type GatewaySettings, gatewaySettings } from '#adapters/aws/apigateway/environment.ts';
import { issuesText } from '#lib/machinery/issues.ts';

z.config({ jitless: true });
const environment = z.object({
  DAVIT_TABLE: z.string('must be given').check(z.minLength(1, 'must not be empty')),
  ...GATEWAY_ENVIRONMENT,
});

/** The configuration of the relay. */
export interface Config {
  readonly table: string;
  readonly gateway: GatewaySettings;
}

/** Reads the environment. Throws TypeError with one line that names the invalid variables. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) throw new TypeError(issuesText(read.error.issues));
  const gateway = gatewaySettings(read.data);
  if (gateway === undefined) throw new TypeError('DAVIT_CHANNEL_URL: must be given');
  return { table: read.data.DAVIT_TABLE, gateway };
}
