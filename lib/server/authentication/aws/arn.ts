/** A principal of AWS as STS names it. */
export interface Principal {
  /** A role in place of its session, and without its path: how maps name it. */
  readonly canonicalArn: string;
  readonly account: string;
  /** '' for who assumed no role. */
  readonly sessionName: string;
}

/** Names and paths hold printable ASCII; an ARN has 2,048 characters at most. */
const ARN = /^arn:(aws[\w-]*):(iam|sts)::(\d{12}):([!-~]{1,2048})$/;
/** The session names that AssumeRole allows: none looks like a name of the system. */
const SESSION = /^[\w+=,.@-]{1,64}$/;

/** Undefined for what is no principal that a map could name. */
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
