import { AbsoluteFill, Composition, interpolate, registerRoot, useCurrentFrame } from "remotion";

const ink = { fontFamily: "serif", color: "#1d2326" };
const Rising = ({ at, children }) => {
  const came = interpolate(useCurrentFrame(), [at, at + 12], [0, 1], { extrapolateLeft: "clamp", extrapolateRight: "clamp" });
  return <div style={{ opacity: came, transform: `translateY(${(1 - came) * 10}px)`, fontSize: 40, marginTop: 28 }}>{children}</div>;
};
const Film = () => (
  <AbsoluteFill style={{ background: "#fffdf8", padding: 80, ...ink }}>
    <h1 style={{ fontSize: 56, margin: 0 }}>What a pipe does</h1>
    <Rising at={30}>It takes what one program prints</Rising>
    <Rising at={80}>and hands it on, line by line</Rising>
    <Rising at={130}>so that both run at the same time</Rising>
    <Rising at={180}>and nothing is kept in between</Rising>
    <Rising at={230}>until the reader ends and the writer with it</Rising>
  </AbsoluteFill>
);
const Root = () => <Composition id="film" component={Film} durationInFrames={300} fps={30} width={1280} height={720} />;
registerRoot(Root);
