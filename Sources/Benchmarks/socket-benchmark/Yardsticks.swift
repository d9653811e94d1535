// SPDX-License-Identifier: GPL-3.0-or-later
internal import NIOCore
internal import NIOPosix

/// The plainest server there is on swift-nio: every byte that arrives goes back.
enum BareEcho {
  static func listen(on loop: any EventLoop) async throws -> any Channel {
    try await plainListener(on: loop)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler()) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.write(data, promise: nil) }
    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
  }
}

/// The plainest relay: a connection to the upstream for each that arrives, bytes handed over both ways, and no more
/// read of one side than the other takes.
enum PlainRelay {
  static func listen(on loop: any EventLoop, upstream: SocketAddress) async throws -> any Channel {
    try await plainListener(on: loop)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { near in
        ClientBootstrap(group: near.eventLoop)
          .channelOption(.autoRead, value: false)
          .channelOption(.socketOption(.tcp_nodelay), value: 1)
          .connect(to: upstream)
          .flatMapThrowing { far in
            try near.pipeline.syncOperations.addHandler(Half(to: far))
            try far.pipeline.syncOperations.addHandler(Half(to: near))
            far.read()
          }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Half: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelActive(context: ChannelHandlerContext) { context.read() }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { other.write(unwrapInboundIn(data), promise: nil) }
    func channelReadComplete(context: ChannelHandlerContext) {
      other.flush()
      if other.isWritable { context.read() }
    }
    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if context.channel.isWritable { other.read() }
    }
    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}

private func plainListener(on loop: any EventLoop) -> ServerBootstrap {
  ServerBootstrap(group: loop)
    .serverChannelOption(.backlog, value: 4_096)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
}
