/** An AWS principal as returned by STS. */
export interface Principal {
  /** The ARN of the role instead of its session, without its path, as in identity maps. */
  readonly canonicalArn: string;
  readonly account: string;
  /** Empty if no role was assumed. */
  readonly sessionName: string;
}

/** Names and paths contain printable ASCII. An ARN has at most 2,048 characters. */
const ARN = /^arn:(aws[\w-]*):(iam|sts)::(\d{12}):([!-~]{1,2048})$/;
/** The session names that AssumeRole allows. None can look like a system: name. */
const SESSION = /^[\w+=,.@-]{1,64}$/;

/** Parses an ARN. Undefined if it is not a principal that a map can contain. */
export function parsePrincipal(arn: string): Principal | undefined {
  const [, partition = '', service = '', account = '', resource = ''] = ARN.exec(arn) ?? [];
  const [kind, ...parts] = resource.split('/');
  if (parts[0] === '' || parts.at(-1) === '') return undefined;
  const iam = `arn:${partition}:iam::${account}`;
  if (service === 'sts' && kind === 'assumed-role' && parts.length === 2 && SESSION.test(parts[1] ?? ''))
    return { canonicalArn: `${iam}:role/${parts[0]}`, account, sessionName: parts[1] ?? '' };
  if (service === 'sts' && kind === 'federated-user' && parts.length === 1)
    return { canonicalArn: arn, account, sessionName: '' };
  if (service === 'iam' && kind === 'role' && parts.length > 0)
    return { canonicalArn: `${iam}:role/${parts.at(-1)}`, account, sessionName: '' };
  if (service === 'iam' && (resource === 'root' || (kind === 'user' && parts.length > 0)))
    return { canonicalArn: arn, account, sessionName: '' };
  return undefined;
}
