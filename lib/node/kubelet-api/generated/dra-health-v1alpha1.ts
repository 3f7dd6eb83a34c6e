// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export const HealthStatus = {
  UNKNOWN: 0,
  HEALTHY: 1,
  UNHEALTHY: 2,
  UNRECOGNIZED: -1,
} as const;

export type HealthStatus = typeof HealthStatus[keyof typeof HealthStatus];

export interface NodeWatchResourcesRequest {
}

export interface DeviceIdentifier {
  poolName: string;
  deviceName: string;
}

export interface DeviceHealth {
  device:
    | DeviceIdentifier
    | undefined;
  health: HealthStatus;
  lastUpdatedTime: number;
  healthCheckTimeoutSeconds: number;
  message: string;
}

export interface NodeWatchResourcesResponse {
  devices: DeviceHealth[];
}

function createBaseNodeWatchResourcesRequest(): NodeWatchResourcesRequest {
  return {};
}

export const NodeWatchResourcesRequest: MessageFns<NodeWatchResourcesRequest> = {
  encode(_: NodeWatchResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeWatchResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeWatchResourcesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeWatchResourcesRequest>): NodeWatchResourcesRequest {
    return NodeWatchResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<NodeWatchResourcesRequest>): NodeWatchResourcesRequest {
    const message = createBaseNodeWatchResourcesRequest();
    return message;
  },
};

function createBaseDeviceIdentifier(): DeviceIdentifier {
  return { poolName: "", deviceName: "" };
}

export const DeviceIdentifier: MessageFns<DeviceIdentifier> = {
  encode(message: DeviceIdentifier, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.poolName !== "") {
      writer.uint32(10).string(message.poolName);
    }
    if (message.deviceName !== "") {
      writer.uint32(18).string(message.deviceName);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeviceIdentifier {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeviceIdentifier();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.poolName = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.deviceName = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeviceIdentifier>): DeviceIdentifier {
    return DeviceIdentifier.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeviceIdentifier>): DeviceIdentifier {
    const message = createBaseDeviceIdentifier();
    message.poolName = object.poolName ?? "";
    message.deviceName = object.deviceName ?? "";
    return message;
  },
};

function createBaseDeviceHealth(): DeviceHealth {
  return { device: undefined, health: 0, lastUpdatedTime: 0, healthCheckTimeoutSeconds: 0, message: "" };
}

export const DeviceHealth: MessageFns<DeviceHealth> = {
  encode(message: DeviceHealth, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.device !== undefined) {
      DeviceIdentifier.encode(message.device, writer.uint32(10).fork()).join();
    }
    if (message.health !== 0) {
      writer.uint32(16).int32(message.health);
    }
    if (message.lastUpdatedTime !== 0) {
      writer.uint32(24).int64(message.lastUpdatedTime);
    }
    if (message.healthCheckTimeoutSeconds !== 0) {
      writer.uint32(32).int64(message.healthCheckTimeoutSeconds);
    }
    if (message.message !== "") {
      writer.uint32(42).string(message.message);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeviceHealth {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeviceHealth();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.device = DeviceIdentifier.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.health = reader.int32() as any;
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.lastUpdatedTime = longToNumber(reader.int64());
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.healthCheckTimeoutSeconds = longToNumber(reader.int64());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.message = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeviceHealth>): DeviceHealth {
    return DeviceHealth.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeviceHealth>): DeviceHealth {
    const message = createBaseDeviceHealth();
    message.device = (object.device !== undefined && object.device !== null)
      ? DeviceIdentifier.fromPartial(object.device)
      : undefined;
    message.health = object.health ?? 0;
    message.lastUpdatedTime = object.lastUpdatedTime ?? 0;
    message.healthCheckTimeoutSeconds = object.healthCheckTimeoutSeconds ?? 0;
    message.message = object.message ?? "";
    return message;
  },
};

function createBaseNodeWatchResourcesResponse(): NodeWatchResourcesResponse {
  return { devices: [] };
}

export const NodeWatchResourcesResponse: MessageFns<NodeWatchResourcesResponse> = {
  encode(message: NodeWatchResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.devices) {
      DeviceHealth.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeWatchResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeWatchResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.devices.push(DeviceHealth.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeWatchResourcesResponse>): NodeWatchResourcesResponse {
    return NodeWatchResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeWatchResourcesResponse>): NodeWatchResourcesResponse {
    const message = createBaseNodeWatchResourcesResponse();
    message.devices = object.devices?.map((e) => DeviceHealth.fromPartial(e)) || [];
    return message;
  },
};

export type DRAResourceHealthDefinition = typeof DRAResourceHealthDefinition;
export const DRAResourceHealthDefinition = {
  name: "DRAResourceHealth",
  fullName: "v1alpha1.DRAResourceHealth",
  methods: {
    nodeWatchResources: {
      name: "NodeWatchResources",
      requestType: NodeWatchResourcesRequest as typeof NodeWatchResourcesRequest,
      requestStream: false,
      responseType: NodeWatchResourcesResponse as typeof NodeWatchResourcesResponse,
      responseStream: true,
      options: {},
    },
  },
} as const;

type Builtin = Date | Function | Uint8Array | string | number | boolean | undefined;

export type DeepPartial<T> = T extends Builtin ? T
  : T extends globalThis.Array<infer U> ? globalThis.Array<DeepPartial<U>>
  : T extends ReadonlyArray<infer U> ? ReadonlyArray<DeepPartial<U>>
  : T extends {} ? { [K in keyof T]?: DeepPartial<T[K]> }
  : Partial<T>;

function longToNumber(int64: { toString(): string }): number {
  const num = globalThis.Number(int64.toString());
  if (num > globalThis.Number.MAX_SAFE_INTEGER) {
    throw new globalThis.Error("Value is larger than Number.MAX_SAFE_INTEGER");
  }
  if (num < globalThis.Number.MIN_SAFE_INTEGER) {
    throw new globalThis.Error("Value is smaller than Number.MIN_SAFE_INTEGER");
  }
  return num;
}

export interface MessageFns<T> {
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  decode(input: BinaryReader | Uint8Array, length?: number): T;
  create(base?: DeepPartial<T>): T;
  fromPartial(object: DeepPartial<T>): T;
}
