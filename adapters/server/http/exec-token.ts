import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { type ExecConfig } from '#lib/helpers/clientcmd/kubeconfig.ts';

const run = promisify(execFile);
/** Time in ms before its expiry at which a token counts as expired. */
const MARGIN = 60_000;

const credential = z.object({
  status: z.object({ token: z.string().min(1), expirationTimestamp: z.iso.datetime({ offset: true }).optional() }),
});

/** Returns tokens of a client-go credential plugin, cached until they expire or are rejected. Certificates from plugins are not used. */
export function execToken(config: ExecConfig, now: () => number): (refused?: string) => Promise<string> {
  let known: { readonly token: string; readonly until: number } | undefined;
  return async (refused) => {
    if (known !== undefined && known.token !== refused && now() < known.until - MARGIN) return known.token;
    const { token, expirationTimestamp: end } = await ask(config);
    known = { token, until: end === undefined ? Infinity : Date.parse(end) };
    return token;
  };
}

async function ask({ apiVersion, command, args, env }: ExecConfig): Promise<z.infer<typeof credential>['status']> {
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const given = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const { stdout } = await run(command, args ?? [], {
    env: { ...process.env, ...given, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    timeout: 60_000,
  });
  const read = credential.safeParse(JSON.parse(stdout));
  if (!read.success) throw new TypeError(`${command} gave no token`);
  return read.data.status;
}
