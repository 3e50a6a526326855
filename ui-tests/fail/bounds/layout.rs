use tensor_layout::Layout;

fn kernel<L: Layout>() {}

fn main() {
    kernel::<[usize; 4]>();
}
